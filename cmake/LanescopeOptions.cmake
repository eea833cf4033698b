# How the project's own code is compiled: link lanescope_options.
add_library(lanescope_options INTERFACE)
target_compile_features(lanescope_options INTERFACE cxx_std_20)
target_include_directories(lanescope_options INTERFACE ${PROJECT_SOURCE_DIR})
# What fmt defines, everywhere alike: a precompiled header holds for files with the same definitions.
target_compile_definitions(lanescope_options INTERFACE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
# No contraction of a*b+c behind the simulator's back: float is float.
target_compile_options(lanescope_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -ffp-contract=off>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  # GCC 12 and 13 see overlap, and copies past the end, inside std::string where there are none (GCC bugs 105651
  # and 105329); from a precompiled header they say so.
  target_compile_options(lanescope_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread>)
endif()
# GCC's garbage collector begins at 600 MB instead of 128: that takes 8 to 20% off a file's compilation, for at most
# 27% more memory.
target_compile_options(lanescope_options INTERFACE
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=600000>)
# Clang does not vectorise every loop over lanes that asks for it, and says so for each; with sanitizers, none.
target_compile_options(lanescope_options INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:-Wno-pass-failed>)
if(LANESCOPE_WERROR)
  target_compile_options(lanescope_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
# What the sanitizers' presets compile with them: the folder that calls lanescope_sanitize() and those below it, which
# is where texts of unknown origin are read and run. The rest is compiled without them.
if(LANESCOPE_SANITIZE)
  set(sanitizers -fsanitize=address,undefined)
  target_link_options(lanescope_options INTERFACE ${sanitizers})
  set(LANESCOPE_SANITIZERS ${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer -O1 -gline-tables-only)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    include(CheckCXXSourceCompiles)
    set(CMAKE_REQUIRED_FLAGS -fsanitize=fuzzer)
    check_cxx_source_compiles(
      "extern \"C\" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }" LANESCOPE_HAS_FUZZER)
    unset(CMAKE_REQUIRED_FLAGS)
    if(LANESCOPE_HAS_FUZZER)
      list(APPEND LANESCOPE_SANITIZERS -fsanitize=fuzzer-no-link)
    endif()
  endif()
endif()
macro(lanescope_sanitize)
  add_compile_options(${LANESCOPE_SANITIZERS})
endmacro()

# The presets compile a release with -O2: CMake's own -O3 takes up to 15% longer, and neither the simulator nor a frame
# is measurably faster by it.
# lanescope_optimise(LEVEL TARGET…): less than that. What runs once per key, command or text, and neither per frame nor
# per simulated instruction, takes a third less to compile with -Og; pictures, and what is recorded of a run, a quarter
# less with -O1, for frames that take up to 4% longer. GCC takes more for uninitialized then than is so, std::regex for one.
function(lanescope_optimise level)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:${level}>
      $<$<AND:$<CONFIG:Release>,$<COMPILE_LANG_AND_ID:CXX,GNU>>:-Wno-maybe-uninitialized>)
  endforeach()
endfunction()
