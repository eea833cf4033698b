# Tests over the project as a whole: format, the direction of includes, plain words, clang-tidy,
# the scripts; and tests that other presets build.
set(here ${PROJECT_SOURCE_DIR}/cmake)
add_test(NAME lint.format COMMAND ${here}/check_format.sh)
add_test(NAME lint.includes COMMAND ${here}/check_includes.sh)
add_test(NAME lint.words COMMAND ${here}/check_words.sh)
add_test(NAME scripts COMMAND ${here}/check_scripts.sh)
add_test(NAME lint.tidy COMMAND ${here}/check_tidy.sh ${CMAKE_BINARY_DIR})
add_test(NAME lint.casts COMMAND ${here}/check_tidy.sh ${CMAKE_BINARY_DIR} casts)
add_test(NAME lint.narrowing COMMAND ${here}/check_narrowing.sh)
add_test(NAME clang.sim COMMAND ${here}/test_preset.sh clang all -L "^sim$" -LE "^sweep$")
set_tests_properties(lint.format lint.includes lint.tidy lint.casts lint.narrowing clang.sim PROPERTIES
  SKIP_RETURN_CODE 77 TIMEOUT 2400)
set_tests_properties(lint.format lint.includes lint.words PROPERTIES LABELS lint)
set_tests_properties(lint.tidy lint.casts PROPERTIES LABELS "lint;tidy" PROCESSORS 2)
set_tests_properties(lint.narrowing PROPERTIES LABELS "lint;tidy")
add_test(NAME package COMMAND ${here}/check_package.sh ${CMAKE_BINARY_DIR})
set_tests_properties(package PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 1200 LABELS package)
set_tests_properties(clang.sim PROPERTIES LABELS clang PROCESSORS 2)
