# Writes OUTPUT: a function FUNCTION of the header HEADER that returns the text of the file INPUT.
file(READ "${INPUT}" text)
# Compilers bound the length of one literal.
string(LENGTH "${text}" length)
set(literal "")
set(at 0)
while(at LESS length)
  string(SUBSTRING "${text}" ${at} 8000 piece)
  string(APPEND literal "\n    R\"~~~(${piece})~~~\"")
  math(EXPR at "${at} + 8000")
endwhile()
file(WRITE "${OUTPUT}" "// Written by embed_text.cmake.\n#include \"${HEADER}\"\n\nnamespace lanescope {\n"
  "std::string_view ${FUNCTION}() {\n  return${literal};\n}\n}  // namespace lanescope\n")
