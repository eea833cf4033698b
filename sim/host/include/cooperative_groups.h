// Groups of threads exist only on the device: their types and functions are declared here for the signatures
// of the program's functions, whose bodies are simulated.
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"

namespace cooperative_groups {

struct thread_group {
  void sync() const { lanescopeDeviceOnly(); }
  unsigned size() const { lanescopeDeviceOnly(); }
  unsigned num_threads() const { lanescopeDeviceOnly(); }
  unsigned thread_rank() const { lanescopeDeviceOnly(); }
};
struct thread_block : thread_group {};
struct grid_group : thread_group {
  bool is_valid() const { lanescopeDeviceOnly(); }
};
struct coalesced_group : thread_group {};
template <unsigned Size, class Parent = thread_block>
struct thread_block_tile : thread_group {
  template <class T>
  T shfl(T, int) const {
    lanescopeDeviceOnly();
  }
  template <class T>
  T shfl_down(T, unsigned) const {
    lanescopeDeviceOnly();
  }
  template <class T>
  T shfl_up(T, unsigned) const {
    lanescopeDeviceOnly();
  }
  template <class T>
  T shfl_xor(T, unsigned) const {
    lanescopeDeviceOnly();
  }
  unsigned meta_group_rank() const { lanescopeDeviceOnly(); }
  unsigned meta_group_size() const { lanescopeDeviceOnly(); }
};
inline thread_block this_thread_block() { lanescopeDeviceOnly(); }
inline grid_group this_grid() { lanescopeDeviceOnly(); }
inline coalesced_group coalesced_threads() { lanescopeDeviceOnly(); }
template <unsigned Size, class Group>
thread_block_tile<Size, Group> tiled_partition(const Group&) {
  lanescopeDeviceOnly();
}
inline thread_group tiled_partition(const thread_group&, unsigned) { lanescopeDeviceOnly(); }
template <class Group>
void sync(const Group&) {
  lanescopeDeviceOnly();
}
template <class T>
struct plus {};
template <class T>
struct less {};
template <class T>
struct greater {};
template <class T>
struct bit_and {};
template <class T>
struct bit_or {};
template <class T>
struct bit_xor {};
template <class Group, class T, class... Operation>
T inclusive_scan(const Group&, T, Operation...) {
  lanescopeDeviceOnly();
}
template <class Group, class T, class... Operation>
T exclusive_scan(const Group&, T, Operation...) {
  lanescopeDeviceOnly();
}
template <class Group, class T, class Operation>
T reduce(const Group&, T, Operation) {
  lanescopeDeviceOnly();
}

}  // namespace cooperative_groups
