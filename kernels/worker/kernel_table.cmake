# Writes OUTPUT, a .cu that includes every strategy's .cu of DIRECTORY that takes elements of TYPE
# (float, double or int; `float` in the texts stands for it), each in a namespace of its own, and finds
# an instance of its kernel by name. Run with cmake -DOUTPUT=... -DDIRECTORY=... -DTYPE=... -P.
cmake_minimum_required(VERSION 3.25)

# headOf(LESSON KEY DEFAULT): the value of `KEY: value` in the lesson's head.
function(headOf lesson key default result)
  string(REGEX MATCH "\n${key}: ([^\n]*)\n" found "${lesson}")
  if(found)
    set(${result} "${CMAKE_MATCH_1}" PARENT_SCOPE)
  else()
    set(${result} "${default}" PARENT_SCOPE)
  endif()
endfunction()

file(GLOB kernels ${DIRECTORY}/*.cu)
list(SORT kernels)
set(headers "")
set(includes "")
set(entries "")
foreach(kernel IN LISTS kernels)
  get_filename_component(stem ${kernel} NAME_WE)
  file(READ ${DIRECTORY}/${stem}.md lesson)
  headOf("${lesson}" types "float, double, int" types)
  string(REPLACE ", " ";" types "${types}")
  if(NOT TYPE IN_LIST types)
    continue()
  endif()
  headOf("${lesson}" kernel "${stem}" instances)
  headOf("${lesson}" elements-per-thread 1 elements)
  headOf("${lesson}" operators "" operators)
  string(REPLACE ", " ";" operators "${operators}")
  string(REPLACE "{elements}" "${elements}" instances "${instances}")
  # One instance for each block size, side of a tile and operator, where the name has a place for it.
  foreach(place "{block}" "{tile}" "{operator}")
    string(FIND "${instances}" "${place}" at)
    if(at EQUAL -1)
      continue()
    endif()
    set(filled "")
    if(place STREQUAL "{block}")
      set(values 1 2 4 8 16 32 64 128 256 512 1024)
    elseif(place STREQUAL "{tile}")
      set(values 1 2 4 8 16 32)
    else()
      set(values ${operators})
    endif()
    foreach(instance IN LISTS instances)
      foreach(value IN LISTS values)
        string(REPLACE "${place}" "${value}" one "${instance}")
        list(APPEND filled "${one}")
      endforeach()
    endforeach()
    set(instances "${filled}")
  endforeach()
  # The toolkit's headers must not be read within a namespace.
  file(STRINGS ${kernel} found REGEX "^#include <")
  list(APPEND headers ${found})
  string(APPEND includes "namespace in_${stem} {\n#include \"kernels/strategies/${stem}.cu\"\n}\n")
  foreach(instance IN LISTS instances)
    # Names of operators live in the file's namespace too.
    string(REGEX REPLACE "([<, ])([A-Z])" "\\1in_${stem}::\\2" call "${instance}")
    string(APPEND entries "    {\"${instance}\", reinterpret_cast<const void*>(&in_${stem}::${call})},\n")
  endforeach()
endforeach()
list(REMOVE_DUPLICATES headers)
list(JOIN headers "\n" headers)
set(define "")
if(NOT TYPE STREQUAL "float")
  set(define "#define float ${TYPE}\n")
endif()
string(SUBSTRING "${TYPE}" 0 1 first)
string(SUBSTRING "${TYPE}" 1 -1 rest)
string(TOUPPER "${first}" first)
set(function "${first}${rest}")
file(WRITE ${OUTPUT} "// Generated from kernels/strategies/*.cu: do not edit.
#include <cuda_runtime.h>

${headers}

#include \"kernels/worker/worker_kernels.h\"

namespace as_${TYPE} {
namespace {
${define}
${includes}
const lanescope::KernelEntry kEntries[] = {
${entries}};
#undef float

}  // namespace
}  // namespace as_${TYPE}

lanescope::KernelEntries lanescope::kernelsFor${function}() {
  return {as_${TYPE}::kEntries, sizeof(as_${TYPE}::kEntries) / sizeof(lanescope::KernelEntry)};
}
")
