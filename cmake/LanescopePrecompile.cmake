# The standard library, fmt and, for tests, GoogleTest are read once and not again in every file: that is
# more than half of what most files cost. Every file still includes what it uses, and compiles alike with
# -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON. A target may have its own instead; one whose flags must differ sets
# DISABLE_PRECOMPILE_HEADERS.
set(standardHeaders
  <algorithm> <array> <atomic> <bit> <charconv> <chrono> <cmath> <condition_variable> <cstdint> <cstdlib>
  <cstring> <deque> <filesystem> <fstream> <functional> <limits> <map> <memory> <mutex> <numeric> <optional>
  <random> <set> <span> <sstream> <stop_token> <string> <string_view> <thread> <tuple> <utility> <variant>
  <vector> <fmt/format.h>)
set(empty ${CMAKE_CURRENT_BINARY_DIR}/empty.cpp)
file(CONFIGURE OUTPUT ${empty} CONTENT "")
# lanescope_precompile_as(NAME LIBRARIES HEADERS [OPTIONS…]): as those who link LIBRARIES read them.
function(lanescope_precompile_as name libraries headers)
  add_library(${name} OBJECT ${empty})
  target_link_libraries(${name} PRIVATE ${libraries})
  target_compile_options(${name} PRIVATE ${ARGN})
  target_precompile_headers(${name} PRIVATE ${headers})
endfunction()
# The same, and where there are sanitizers as NAME_sanitized, too.
function(lanescope_precompile name libraries headers)
  lanescope_precompile_as(${name} "${libraries}" "${headers}")
  if(LANESCOPE_SANITIZE)
    lanescope_precompile_as(${name}_sanitized "${libraries}" "${headers}" ${LANESCOPE_SANITIZERS})
  endif()
endfunction()
lanescope_precompile(lanescope_precompiled lanescope_options "${standardHeaders}")
if(LANESCOPE_TESTS)
  lanescope_precompile(lanescope_precompiled_tests "lanescope_test_options;GTest::gtest" "${standardHeaders};<gtest/gtest.h>")
endif()

# lanescope_use_precompiled(DIRECTORY): in every program and library of the project below that folder.
function(lanescope_use_precompiled directory)
  get_property(folders DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
  foreach(folder IN LISTS folders)
    get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
    get_property(options DIRECTORY ${folder} PROPERTY COMPILE_OPTIONS)
    foreach(target IN LISTS targets)
      get_target_property(type ${target} TYPE)
      get_target_property(libraries ${target} LINK_LIBRARIES)
      get_target_property(own ${target} PRECOMPILE_HEADERS)
      if(NOT type MATCHES "^(EXECUTABLE|(STATIC|OBJECT)_LIBRARY)$" OR own)
        continue()
      endif()
      set(precompiled lanescope_precompiled)
      if("GTest::gtest_main" IN_LIST libraries)
        string(APPEND precompiled _tests)
      endif()
      if("${options}" MATCHES "-fsanitize=")
        string(APPEND precompiled _sanitized)
      endif()
      target_precompile_headers(${target} REUSE_FROM ${precompiled})
    endforeach()
    lanescope_use_precompiled(${folder})
  endforeach()
endfunction()
