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
# lanescope_precompile(NAME LIBRARIES HEADERS): NAME, as those who link LIBRARIES read them; and where there are
# sanitizers NAME_sanitized.
function(lanescope_precompile name libraries headers)
  foreach(options "" LANESCOPE_SANITIZERS)
    if(options AND NOT LANESCOPE_SANITIZE)
      continue()
    endif()
    add_library(${name} OBJECT ${empty})
    target_link_libraries(${name} PRIVATE ${libraries})
    target_compile_options(${name} PRIVATE ${${options}})
    target_precompile_headers(${name} PRIVATE ${headers})
    string(APPEND name _sanitized)
  endforeach()
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
