# Tests are compiled more often than they run, and what they run is optimised: they themselves are not.
add_library(lanescope_test_options INTERFACE)
target_link_libraries(lanescope_test_options INTERFACE lanescope_options)
target_compile_options(lanescope_test_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-O0>)

# lanescope_test(NAME name SOURCES … LIBS … [LABELS …] [SHARDS n] [SWEEPS])
# A GoogleTest program and, for ctest, a test of the same name that runs all of it; with SHARDS, as many
# tests that share its cases (name.1 …). SWEEPS: cases whose names begin with Sweep go over everything that
# there is; they are a test of their own, name.sweep, with the label sweep: ./test leaves them out. Does
# nothing without LANESCOPE_TESTS.
function(lanescope_test)
  cmake_parse_arguments(TEST "SWEEPS" "NAME;SHARDS" "SOURCES;LIBS;LABELS" ${ARGN})
  if(NOT LANESCOPE_TESTS)
    return()
  endif()
  add_executable(${TEST_NAME} ${TEST_SOURCES})
  target_link_libraries(${TEST_NAME} PRIVATE lanescope_test_options ${TEST_LIBS} lanescope_golden_text GTest::gtest_main)
  target_compile_definitions(${TEST_NAME} PRIVATE LANESCOPE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  # Fewer at once than elsewhere: names at file scope need not be unique within a test program.
  set_target_properties(${TEST_NAME} PROPERTIES UNITY_BUILD_BATCH_SIZE 14)
  set(filter "")
  if(TEST_SWEEPS)
    set(filter --gtest_filter=-Sweep*)
    lanescope_test_run(${TEST_NAME}.sweep "${TEST_LABELS};sweep" ${TEST_NAME} --gtest_filter=Sweep*)
    set_tests_properties(${TEST_NAME}.sweep PROPERTIES COST 50)  # long: ctest begins with what costs most
  endif()
  if(NOT TEST_SHARDS)
    lanescope_test_run(${TEST_NAME} "${TEST_LABELS}" ${TEST_NAME} ${filter})
    return()
  endif()
  foreach(shard RANGE 1 ${TEST_SHARDS})
    math(EXPR index "${shard} - 1")
    lanescope_test_run(${TEST_NAME}.${shard} "${TEST_LABELS}" ${TEST_NAME} ${filter})
    set_tests_properties(${TEST_NAME}.${shard} PROPERTIES
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${TEST_SHARDS};GTEST_SHARD_INDEX=${index}")
  endforeach()
endfunction()

# A test that runs nothing has failed: its cases have gone elsewhere.
function(lanescope_test_run name labels)
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES
    TIMEOUT 1800 LABELS "${labels}" FAIL_REGULAR_EXPRESSION "Running 0 tests")
endfunction()
