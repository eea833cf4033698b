# Writes OUTPUT, a .cu that includes every strategy's .cu of DIRECTORY and finds its kernel by name:
# the kernel is named like the file. Run with cmake -DOUTPUT=... -DDIRECTORY=... -P.
file(GLOB kernels ${DIRECTORY}/*.cu)
list(SORT kernels)
set(includes "")
set(entries "")
foreach(kernel IN LISTS kernels)
  get_filename_component(name ${kernel} NAME_WE)
  string(APPEND includes "#include \"kernels/strategies/${name}.cu\"\n")
  string(APPEND entries "    {\"${name}\", reinterpret_cast<const void*>(&${name})},\n")
endforeach()
file(WRITE ${OUTPUT} "// Generated from kernels/strategies/*.cu: do not edit.
#include <cstring>

#include \"kernels/worker/worker_kernels.h\"

namespace {

${includes}
struct Entry {
  const char* name;
  const void* kernel;
};

const Entry kEntries[] = {
${entries}};

}  // namespace

const void* lanescope::strategyKernel(const char* kernel) {
  for (const Entry& entry : kEntries) {
    if (std::strcmp(entry.name, kernel) == 0) return entry.kernel;
  }
  return nullptr;
}
")
