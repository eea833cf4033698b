# Tests over the project as a whole: format, clang-tidy, the direction of includes, the sanitized simulator, the scripts.
add_test(NAME lint.format COMMAND ${PROJECT_SOURCE_DIR}/cmake/check_format.sh)
add_test(NAME lint.includes COMMAND ${PROJECT_SOURCE_DIR}/cmake/check_includes.sh)
add_test(NAME lint.tidy COMMAND ${PROJECT_SOURCE_DIR}/cmake/check_tidy.sh ${CMAKE_BINARY_DIR})
add_test(NAME asan.sim COMMAND ${PROJECT_SOURCE_DIR}/cmake/run_sanitized.sh ${PROJECT_SOURCE_DIR}/build-asan)
add_test(NAME scripts COMMAND ${PROJECT_SOURCE_DIR}/cmake/check_scripts.sh)
set_tests_properties(lint.format lint.includes lint.tidy PROPERTIES LABELS lint SKIP_RETURN_CODE 77 TIMEOUT 2400)
set_tests_properties(asan.sim PROPERTIES LABELS asan SKIP_RETURN_CODE 77 TIMEOUT 2400 PROCESSORS 2)
set_tests_properties(lint.tidy PROPERTIES PROCESSORS 2)
