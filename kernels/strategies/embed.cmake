# Writes OUTPUT: a table {file stem, kernel text, lesson text} over the strategies of DIRECTORY.
# A strategy is a .cu with a .md of the same name.
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/raw_literal.cmake)

function(readText path result)
  file(READ "${path}" text)
  # CMake lists treat ; and [ ] specially only in list context; plain strings keep them.
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

set(content "// Written by embed.cmake.\n#include \"kernels/strategies/strategy_texts.h\"\n\nnamespace lanescope {\n")
string(APPEND content "std::span<const StrategyText> strategyTexts() {\n  static constexpr StrategyText kTexts[] = {\n")
file(GLOB kernels RELATIVE "${DIRECTORY}" "${DIRECTORY}/*.cu")
foreach(kernel IN LISTS kernels)
  string(REGEX REPLACE "\\.cu$" "" stem "${kernel}")
  if(NOT EXISTS "${DIRECTORY}/${stem}.md")
    message(FATAL_ERROR "strategy ${kernel} has no lesson: write ${stem}.md beside it")
  endif()
  readText("${DIRECTORY}/${kernel}" source)
  readText("${DIRECTORY}/${stem}.md" lesson)
  asLiteral("${source}" sourceLiteral)
  asLiteral("${lesson}" lessonLiteral)
  string(REPLACE "_" "-" id "${stem}")
  string(APPEND content "      {\"${id}\", \"${stem}\", \"${kernel}\",\n${sourceLiteral},\n${lessonLiteral}},\n")
endforeach()
string(APPEND content "  };\n  return kTexts;\n}\n}  // namespace lanescope\n")
file(WRITE "${OUTPUT}" "${content}")
