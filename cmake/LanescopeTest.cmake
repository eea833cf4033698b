# lanescope_test(NAME name SOURCES … LIBS … [LABELS …])
# A GoogleTest program, each of its tests known to ctest. Does nothing without LANESCOPE_TESTS.
include(GoogleTest)

function(lanescope_test)
  cmake_parse_arguments(TEST "" "NAME" "SOURCES;LIBS;LABELS" ${ARGN})
  if(NOT LANESCOPE_TESTS)
    return()
  endif()
  add_executable(${TEST_NAME} ${TEST_SOURCES})
  target_link_libraries(${TEST_NAME} PRIVATE lanescope_options ${TEST_LIBS} GTest::gtest_main)
  target_compile_definitions(${TEST_NAME} PRIVATE LANESCOPE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  gtest_discover_tests(${TEST_NAME} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS "${TEST_LABELS}" TIMEOUT 300)
endfunction()
