# GLFW 3.3 or newer, and OpenGL 3.3 core through a loader that glad writes at build time.
find_package(glfw3 3.3 REQUIRED)
add_library(lanescope_glfw INTERFACE)
target_link_libraries(lanescope_glfw INTERFACE glfw)
add_library(lanescope::glfw ALIAS lanescope_glfw)

find_program(GLAD_PROGRAM glad REQUIRED)
execute_process(COMMAND ${GLAD_PROGRAM} --help OUTPUT_VARIABLE gladHelp ERROR_QUIET)
if(NOT gladHelp MATCHES "--merge")  # an option of glad 2
  unset(GLAD_PROGRAM CACHE)
  message(FATAL_ERROR "glad is older than 2, as Ubuntu 22.04 has it: pip install glad2, and once more.")
endif()
set(gladDirectory ${CMAKE_BINARY_DIR}/third_party/glad)
# --reproducible uses the specification that glad ships with: no network.
add_custom_command(
  OUTPUT ${gladDirectory}/src/gl.c ${gladDirectory}/include/glad/gl.h
  COMMAND ${GLAD_PROGRAM} --quiet --reproducible --api gl:core=3.3 --extensions "" --out-path ${gladDirectory} c
  COMMENT "Generating the OpenGL 3.3 loader"
  VERBATIM)
enable_language(C)
add_library(lanescope_glad STATIC ${gladDirectory}/src/gl.c)
target_include_directories(lanescope_glad SYSTEM PUBLIC ${gladDirectory}/include)
target_link_libraries(lanescope_glad PUBLIC ${CMAKE_DL_LIBS})
add_library(lanescope::glad ALIAS lanescope_glad)
