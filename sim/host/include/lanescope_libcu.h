// libcu++ on the host: the parts of cuda::std that std has, and the atomics and spans of both.
#pragma once
#include <array>
#include <atomic>
#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace cuda {

namespace std {
using namespace ::std;
}

using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread = 10 };

inline void atomic_thread_fence(memory_order order, thread_scope = thread_scope_system) {
  ::std::atomic_thread_fence(order);
}

/// The operations of atomic and of atomic_ref on the object that `Self::lanescopeObject()` points to.
template <class T, class Self>
struct LanescopeAtomic {
  T load(memory_order order = memory_order_seq_cst) const {
    T value;
    __atomic_load(object(), &value, static_cast<int>(order));
    return value;
  }
  void store(T value, memory_order order = memory_order_seq_cst) const {
    __atomic_store(object(), &value, static_cast<int>(order));
  }
  T exchange(T value, memory_order order = memory_order_seq_cst) const {
    T old;
    __atomic_exchange(object(), &value, &old, static_cast<int>(order));
    return old;
  }
  bool compare_exchange_strong(T& expected, T desired, memory_order = memory_order_seq_cst,
                               memory_order = memory_order_seq_cst) const {
    return __atomic_compare_exchange(object(), &expected, &desired, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
  }
  bool compare_exchange_weak(T& expected, T desired, memory_order = memory_order_seq_cst,
                             memory_order = memory_order_seq_cst) const {
    return compare_exchange_strong(expected, desired);
  }
#define LANESCOPE_FETCH(name, changed)                                  \
  T name(T value, memory_order = memory_order_seq_cst) const {          \
    return updated([value](T old) { return static_cast<T>(changed); }); \
  }
  LANESCOPE_FETCH(fetch_add, old + value)
  LANESCOPE_FETCH(fetch_sub, old - value)
  LANESCOPE_FETCH(fetch_max, old < value ? value : old)
  LANESCOPE_FETCH(fetch_min, value < old ? value : old)
  LANESCOPE_FETCH(fetch_and, (old & value))
  LANESCOPE_FETCH(fetch_or, old | value)
  LANESCOPE_FETCH(fetch_xor, old ^ value)
#undef LANESCOPE_FETCH
  void wait(T old, memory_order = memory_order_seq_cst) const {
    while (load() == old) {
    }
  }
  void notify_one() const {}
  void notify_all() const {}
  operator T() const { return load(); }
  T operator++() const { return static_cast<T>(fetch_add(1) + 1); }
  T operator++(int) const { return fetch_add(1); }
  T operator--() const { return static_cast<T>(fetch_sub(1) - 1); }
  T operator--(int) const { return fetch_sub(1); }
  T operator+=(T value) const { return static_cast<T>(fetch_add(value) + value); }
  T operator-=(T value) const { return static_cast<T>(fetch_sub(value) - value); }
  T operator&=(T value) const { return static_cast<T>(fetch_and(value) & value); }
  T operator|=(T value) const { return static_cast<T>(fetch_or(value) | value); }
  T operator^=(T value) const { return static_cast<T>(fetch_xor(value) ^ value); }

 private:
  T* object() const { return static_cast<const Self*>(this)->lanescopeObject(); }
  template <class Change>
  T updated(Change change) const {
    T old = load();
    while (!compare_exchange_strong(old, change(old))) {
    }
    return old;
  }
};

template <class T, thread_scope S = thread_scope_system>
struct atomic : LanescopeAtomic<T, atomic<T, S>> {
  atomic() noexcept = default;
  constexpr atomic(T value) noexcept : lanescopeValue(value) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  T operator=(T value) {
    this->store(value);
    return value;
  }
  T* lanescopeObject() const { return const_cast<T*>(&lanescopeValue); }
  T lanescopeValue;
};

template <class T, thread_scope S = thread_scope_system>
struct atomic_ref : LanescopeAtomic<T, atomic_ref<T, S>> {
  explicit atomic_ref(T& object) : lanescopePointer(&object) {}
  T operator=(T value) const {
    this->store(value);
    return value;
  }
  T* lanescopeObject() const { return lanescopePointer; }
  T* lanescopePointer;
};

struct atomic_flag {
  bool test_and_set(memory_order = memory_order_seq_cst) { return lanescopeValue.exchange(1) != 0; }
  bool test(memory_order = memory_order_seq_cst) const { return lanescopeValue.load() != 0; }
  void clear(memory_order = memory_order_seq_cst) { lanescopeValue.store(0); }
  atomic<int> lanescopeValue;
};

namespace std {
using ::cuda::atomic_flag;
using ::cuda::atomic_thread_fence;
template <class T>
using atomic = ::cuda::atomic<T>;
template <class T>
using atomic_ref = ::cuda::atomic_ref<T>;

template <class T>
class span {
 public:
  using element_type = T;
  using value_type = remove_cv_t<T>;
  constexpr span() = default;
  constexpr span(T* data, size_t size) : data_(data), size_(size) {}
  template <size_t N>
  constexpr span(T (&elements)[N]) : data_(elements), size_(N) {}
  template <class Container, class = decltype(static_cast<T*>(declval<Container&>().data()))>
  constexpr span(Container& elements) : data_(elements.data()), size_(elements.size()) {}
  constexpr T* data() const { return data_; }
  constexpr size_t size() const { return size_; }
  constexpr size_t size_bytes() const { return size_ * sizeof(T); }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T& operator[](size_t i) const { return data_[i]; }
  constexpr T& front() const { return data_[0]; }
  constexpr T& back() const { return data_[size_ - 1]; }
  constexpr T* begin() const { return data_; }
  constexpr T* end() const { return data_ + size_; }
  constexpr span first(size_t n) const { return {data_, n}; }
  constexpr span last(size_t n) const { return {data_ + size_ - n, n}; }
  constexpr span subspan(size_t at) const { return {data_ + at, size_ - at}; }
  constexpr span subspan(size_t at, size_t n) const { return {data_ + at, n}; }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
};
}  // namespace std

}  // namespace cuda
