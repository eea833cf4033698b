#include <fmt/format.h>

#include "sim/language/parse/standard_library.h"

namespace lanescope::syntax {
namespace {

// libcu++'s <cuda/atomic>. A load is an atomicOr with nothing and a store an atomicExch; an order with
// release is a __threadfence() before. `__atomic_load` and its kin are the checker's, of less than 32 bits.
constexpr const char* kPlainAtomics = R"cuda(
enum class std::memory_order : int { relaxed, consume, acquire, release, acq_rel, seq_cst };
constexpr std::memory_order std::memory_order_relaxed = std::memory_order::relaxed;
constexpr std::memory_order std::memory_order_consume = std::memory_order::consume;
constexpr std::memory_order std::memory_order_acquire = std::memory_order::acquire;
constexpr std::memory_order std::memory_order_release = std::memory_order::release;
constexpr std::memory_order std::memory_order_acq_rel = std::memory_order::acq_rel;
constexpr std::memory_order std::memory_order_seq_cst = std::memory_order::seq_cst;
enum std::thread_scope {
  std::thread_scope_system, std::thread_scope_device, std::thread_scope_block, std::thread_scope_thread = 10
};
__device__ void std::atomic_thread_fence(std::memory_order order,
                                         std::thread_scope scope = std::thread_scope_system) {
  __threadfence();
}

// What has the type of no atomic function goes through one of the same size, `AS` its bits.
#define CAS(WORD, AS) atomicCAS((WORD*)p, AS expected, AS desired)
#define LOAD(WORD, AS) atomicOr((WORD*)p, (WORD)0)
#define EXCHANGE(WORD, AS) atomicExch((WORD*)p, AS value)
#define BY_SIZE(CALL, OF_LESS)                                                  \
  if constexpr (std::is_integral_v<T> && sizeof(T) == 4) {                      \
    return (T)CALL(unsigned, (unsigned));                                       \
  } else if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {               \
    return (T)CALL(unsigned long long, (unsigned long long));                   \
  } else if constexpr (sizeof(T) == 8) {                                        \
    unsigned long long old = CALL(unsigned long long, *(unsigned long long*)&); \
    return *(T*)&old;                                                           \
  } else if constexpr (sizeof(T) == 4) {                                        \
    unsigned old = CALL(unsigned, *(unsigned*)&);                               \
    return *(T*)&old;                                                           \
  } else {                                                                      \
    OF_LESS;                                                                    \
  }
#define BOUND(NAME, ATOMIC, IS_BEYOND)                       \
  __device__ static T NAME(T* p, T value) {                  \
    if constexpr (std::is_integral_v<T> && sizeof(T) >= 4) { \
      return ATOMIC(p, value);                               \
    } else {                                                 \
      T old = load(p);                                       \
      while (IS_BEYOND) {                                    \
        T found = cas(p, old, value);                        \
        if (found == old) break;                             \
        old = found;                                         \
      }                                                      \
      return old;                                            \
    }                                                        \
  }
#define FETCH(NAME, CHANGE)                                                                \
  __device__ T NAME(T value, std::memory_order order = std::memory_order::seq_cst) const { \
    Of::fence(order);                                                                      \
    return CHANGE;                                                                         \
  }
template <typename T> struct std::__atomic_of {
  __device__ static void fence(std::memory_order order) {
    if (order >= std::memory_order::release) __threadfence();
  }
  __device__ static T* plain(const T* p) { return (T*)p; }
  __device__ static T cas(T* p, T expected, T desired) {
    BY_SIZE(CAS, static_assert(sizeof(T) <= 2, "an atomic of libcu++ has 1, 2, 4 or 8 bytes here");
            return std::__atomic_cas<T>(p, expected, desired))
  }
  __device__ static T load(T* p) { BY_SIZE(LOAD, return std::__atomic_load<T>(p)) }
  __device__ static T exchange(T* p, T value) { BY_SIZE(EXCHANGE, return std::__atomic_swap<T>(p, value)) }
  __device__ static T add(T* p, T value) {
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
      return (T)atomicAdd((unsigned long long*)p, (unsigned long long)value);
    } else if constexpr (sizeof(T) >= 4) {
      return atomicAdd(p, value);
    } else {
      T old = load(p);
      while (true) {
        T found = cas(p, old, (T)(old + value));
        if (found == old) return old;
        old = found;
      }
    }
  }
  BOUND(largest, atomicMax, old < value)
  BOUND(least, atomicMin, value < old)
};
)cuda";

/// The methods of std::atomic and of std::atomic_ref, on the object at {0}.
constexpr const char* kMethods = R"cuda(
  __device__ T load(std::memory_order order = std::memory_order::seq_cst) const {{ return Of::load({0}); }}
  __device__ void store(T value, std::memory_order order = std::memory_order::seq_cst) const {{
    Of::fence(order);
    Of::exchange({0}, value);
  }}
  __device__ T exchange(T value, std::memory_order order = std::memory_order::seq_cst) const {{
    Of::fence(order);
    return Of::exchange({0}, value);
  }}
  __device__ bool compare_exchange_strong(T& expected, T desired,
                                          std::memory_order order = std::memory_order::seq_cst,
                                          std::memory_order failed = std::memory_order::seq_cst) const {{
    Of::fence(order);
    T old = Of::cas({0}, expected, desired);
    bool isSame = old == expected;
    if (!isSame) expected = old;
    return isSame;
  }}
  __device__ bool compare_exchange_weak(T& expected, T desired,
                                        std::memory_order order = std::memory_order::seq_cst,
                                        std::memory_order failed = std::memory_order::seq_cst) const {{
    return compare_exchange_strong(expected, desired, order);
  }}
  FETCH(fetch_add, Of::add({0}, value))
  FETCH(fetch_sub, Of::add({0}, (T)-value))
  FETCH(fetch_max, Of::largest({0}, value))
  FETCH(fetch_min, Of::least({0}, value))
  FETCH(fetch_and, atomicAnd({0}, value))
  FETCH(fetch_or, atomicOr({0}, value))
  FETCH(fetch_xor, atomicXor({0}, value))
  __device__ void wait(T old, std::memory_order order = std::memory_order::seq_cst) const {{
    while (load() == old) {{}}
  }}
  __device__ void notify_one() const {{}}
  __device__ void notify_all() const {{}}
  __device__ operator T() const {{ return load(); }}
  __device__ T operator=(T value) const {{
    store(value);
    return value;
  }}
  __device__ T operator++() const {{ return fetch_add(1) + 1; }}
  __device__ T operator++(int) const {{ return fetch_add(1); }}
  __device__ T operator--() const {{ return fetch_sub(1) - 1; }}
  __device__ T operator--(int) const {{ return fetch_sub(1); }}
  __device__ T operator+=(T value) const {{ return fetch_add(value) + value; }}
  __device__ T operator-=(T value) const {{ return fetch_sub(value) - value; }}
  __device__ T operator&=(T value) const {{ return fetch_and(value) & value; }}
  __device__ T operator|=(T value) const {{ return fetch_or(value) | value; }}
  __device__ T operator^=(T value) const {{ return fetch_xor(value) ^ value; }}
)cuda";

constexpr const char* kFlag = R"cuda(
struct std::atomic_flag {
  std::atomic<int> _M_v;
  __device__ bool test_and_set(std::memory_order order = std::memory_order::seq_cst) {
    return _M_v.exchange(1, order) != 0;
  }
  __device__ bool test(std::memory_order order = std::memory_order::seq_cst) const { return _M_v.load() != 0; }
  __device__ void clear(std::memory_order order = std::memory_order::seq_cst) { _M_v.store(0, order); }
};
)cuda";

constexpr const char* kClass = R"cuda(
template <typename T, std::thread_scope S = std::thread_scope_system> struct std::{0} {{
  using value_type = T;
  using Of = std::__atomic_of<T>;
  {1}
  {2}
}};
)cuda";

}  // namespace

std::string atomicLibrary() {
  const std::string own = fmt::format(
      kClass, "atomic",
      "T _M_v;\n  std::atomic() = default;\n  __device__ constexpr std::atomic(T value) : _M_v(value) {}",
      fmt::format(kMethods, "Of::plain(&_M_v)"));
  const std::string referred = fmt::format(
      kClass, "atomic_ref", "T* _M_p;\n  __device__ std::atomic_ref(T& object) : _M_p(&object) {}",
      fmt::format(kMethods, "_M_p"));
  return kPlainAtomics + own + referred + kFlag;
}

}  // namespace lanescope::syntax
