#include "sim/machine/counters.h"

namespace lanescope {
namespace {

/// Applies f to every pair of fields: one list for sum and difference.
template <class F>
void forEachField(Counters& a, const Counters& b, F f) {
  f(a.sharedLoadWavefronts, b.sharedLoadWavefronts);
  f(a.sharedStoreWavefronts, b.sharedStoreWavefronts);
  f(a.sharedAtomicWavefronts, b.sharedAtomicWavefronts);
  f(a.sharedIdealWavefronts, b.sharedIdealWavefronts);
  f(a.globalLoadRequests, b.globalLoadRequests);
  f(a.globalStoreRequests, b.globalStoreRequests);
  f(a.globalLoadSectors, b.globalLoadSectors);
  f(a.globalStoreSectors, b.globalStoreSectors);
  f(a.globalReductionSectors, b.globalReductionSectors);
  f(a.globalAtomicSectors, b.globalAtomicSectors);
  f(a.atomics, b.atomics);
  f(a.barriers, b.barriers);
  f(a.shuffles, b.shuffles);
  f(a.instructions, b.instructions);
  f(a.activeLanes, b.activeLanes);
  f(a.lanes, b.lanes);
  f(a.branches, b.branches);
  f(a.divergentBranches, b.divergentBranches);
}

}  // namespace

Counters& Counters::operator+=(const Counters& other) {
  forEachField(*this, other, [](std::uint64_t& x, std::uint64_t y) { x += y; });
  return *this;
}

Counters& Counters::operator-=(const Counters& other) {
  forEachField(*this, other, [](std::uint64_t& x, std::uint64_t y) { x -= y; });
  return *this;
}

std::array<NamedCounter, 12> nsightCounters(const Counters& c) {
  return {{{"memory_l1_wavefronts_shared", c.sharedWavefronts()},
           {"memory_l1_wavefronts_shared_ideal", c.sharedIdealWavefronts},
           {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", c.sharedLoadWavefronts},
           {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", c.sharedStoreWavefronts},
           {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", c.globalLoadRequests},
           {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", c.globalStoreRequests},
           {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", c.globalLoadSectors},
           {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", c.globalStoreSectors},
           {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", c.globalReductionSectors},
           {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", c.globalAtomicSectors},
           {"sass__inst_executed_per_opcode.BAR", c.barriers},
           {"sass__inst_executed_per_opcode.SHFL", c.shuffles}}};
}

}  // namespace lanescope
