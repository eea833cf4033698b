# Everything the project takes from others, from the system. No source of theirs is in this
# repository. Included at the top, so that the targets are there for every folder.

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)
find_package(CLI11 REQUIRED)
if(LANESCOPE_TESTS)
  find_package(GTest QUIET)
  if(NOT GTest_FOUND)
    message(FATAL_ERROR "GoogleTest was not found: install libgtest-dev, or configure with -DLANESCOPE_TESTS=OFF.")
  endif()
endif()
if(LANESCOPE_BENCHMARKS)
  find_package(benchmark REQUIRED)
endif()

include(${CMAKE_CURRENT_LIST_DIR}/md4c.cmake)
if(LANESCOPE_APP)
  include(${CMAKE_CURRENT_LIST_DIR}/glfw_and_opengl.cmake)
  include(${CMAKE_CURRENT_LIST_DIR}/imgui.cmake)
  include(${CMAKE_CURRENT_LIST_DIR}/fonts.cmake)
  include(${CMAKE_CURRENT_LIST_DIR}/cairo.cmake)
endif()
