#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "sim/base/diagnostic.h"
#include "sim/language/parse/file_items.h"

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
  __device__ T operator=(T value) {{
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

namespace {

constexpr const char* kTypeTraits = R"cuda(
template <typename T, T v> struct std::integral_constant {
  static constexpr T value = v;
  using value_type = T;
  using type = std::integral_constant<T, v>;
  __device__ constexpr operator T() const { return v; }
  __device__ constexpr T operator()() const { return v; }
};
template <bool B> using std::bool_constant = std::integral_constant<bool, B>;
using std::true_type = std::integral_constant<bool, true>;
using std::false_type = std::integral_constant<bool, false>;

template <bool B, typename T = void> struct std::enable_if {};
template <typename T> struct std::enable_if<true, T> { using type = T; };
template <bool B, typename T = void> using std::enable_if_t = typename std::enable_if<B, T>::type;
template <bool B, typename T, typename F> struct std::conditional { using type = T; };
template <typename T, typename F> struct std::conditional<false, T, F> { using type = F; };
template <bool B, typename T, typename F> using std::conditional_t = typename std::conditional<B, T, F>::type;
template <typename... T> using std::void_t = void;

template <typename T, typename U> struct std::is_same : std::false_type {};
template <typename T> struct std::is_same<T, T> : std::true_type {};
template <typename T> struct std::is_void : std::is_same<std::remove_const_t<T>, void> {};
template <typename T> struct std::is_const : std::false_type {};
template <typename T> struct std::is_const<const T> : std::true_type {};
template <typename T> struct std::is_pointer : std::false_type {};
template <typename T> struct std::is_pointer<T*> : std::true_type {};
template <typename T> struct std::is_pointer<T* const> : std::true_type {};
template <typename T> struct std::is_integral : std::bool_constant<std::is_integral_v<T>> {};
template <typename T> struct std::is_floating_point : std::bool_constant<std::is_floating_point_v<T>> {};
template <typename T> struct std::is_arithmetic : std::bool_constant<std::is_arithmetic_v<T>> {};
template <typename T> struct std::is_enum : std::bool_constant<std::is_enum_v<T>> {};
template <typename T> struct std::is_signed : std::bool_constant<std::is_signed_v<T>> {};
template <typename T> struct std::is_unsigned : std::bool_constant<std::is_unsigned_v<T>> {};
template <typename T, typename U> constexpr bool std::is_same_v = std::is_same<T, U>::value;
template <typename T> constexpr bool std::is_void_v = std::is_void<T>::value;
template <typename T> constexpr bool std::is_const_v = std::is_const<T>::value;
template <typename T> constexpr bool std::is_pointer_v = std::is_pointer<T>::value;

template <typename B> struct std::negation : std::bool_constant<!B::value> {};
template <typename... B> struct std::conjunction : std::bool_constant<(B::value && ...)> {};
template <typename... B> struct std::disjunction : std::bool_constant<(B::value || ...)> {};
template <typename B> constexpr bool std::negation_v = !B::value;
template <typename... B> constexpr bool std::conjunction_v = (B::value && ...);
template <typename... B> constexpr bool std::disjunction_v = (B::value || ...);

template <typename T> struct std::remove_const { using type = T; };
template <typename T> struct std::remove_const<const T> { using type = T; };
template <typename T> struct std::remove_pointer { using type = T; };
template <typename T> struct std::remove_pointer<T*> { using type = T; };
template <typename T> struct std::remove_pointer<T* const> { using type = T; };
template <typename T> struct std::remove_pointer<T* volatile> { using type = T; };
template <typename T> struct std::remove_pointer<T* const volatile> { using type = T; };
template <typename T> struct std::remove_volatile { using type = T; };
template <typename T> struct std::remove_volatile<volatile T> { using type = T; };
template <typename T> struct std::remove_cv : std::remove_volatile<T> {};
template <typename T> struct std::remove_cv<const T> : std::remove_volatile<T> {};
template <typename T> struct std::remove_reference { using type = T; };
template <typename T> struct std::remove_reference<T&> { using type = T; };
template <typename T> struct std::remove_reference<T&&> { using type = T; };
template <typename T> struct std::add_const { using type = const T; };
template <typename T> struct std::add_volatile { using type = volatile T; };
template <typename T> struct std::add_pointer { using type = typename std::remove_reference<T>::type*; };
template <typename T> struct std::add_lvalue_reference { using type = T&; };
template <> struct std::add_lvalue_reference<void> { using type = void; };
template <typename T> struct std::add_rvalue_reference { using type = T&&; };
template <> struct std::add_rvalue_reference<void> { using type = void; };
template <typename T> struct std::is_lvalue_reference : std::false_type {};
template <typename T> struct std::is_lvalue_reference<T&> : std::true_type {};
template <typename T> struct std::is_rvalue_reference : std::false_type {};
template <typename T> struct std::is_rvalue_reference<T&&> : std::true_type {};
template <typename T> struct std::is_reference
    : std::bool_constant<std::is_lvalue_reference<T>::value || std::is_rvalue_reference<T>::value> {};
template <typename T> struct std::is_volatile : std::false_type {};
template <typename T> struct std::is_volatile<volatile T> : std::true_type {};
template <typename T> constexpr bool std::is_reference_v = std::is_reference<T>::value;
template <typename T> constexpr bool std::is_lvalue_reference_v = std::is_lvalue_reference<T>::value;
template <typename T> constexpr bool std::is_rvalue_reference_v = std::is_rvalue_reference<T>::value;
template <typename T> constexpr bool std::is_volatile_v = std::is_volatile<T>::value;
template <typename T> struct std::underlying_type { using type = decltype(std::__underlying<T>()); };
template <typename... T> struct std::common_type { using type = decltype((T() + ...)); };
template <typename T> struct std::common_type<T, T> { using type = T; };
template <typename T> using std::remove_const_t = typename std::remove_const<T>::type;
template <typename T> using std::remove_pointer_t = typename std::remove_pointer<T>::type;
template <typename T> using std::remove_reference_t = typename std::remove_reference<T>::type;
template <typename T> using std::remove_volatile_t = typename std::remove_volatile<T>::type;
template <typename T> using std::add_volatile_t = volatile T;
template <typename T> using std::add_lvalue_reference_t = typename std::add_lvalue_reference<T>::type;
template <typename T> using std::add_rvalue_reference_t = typename std::add_rvalue_reference<T>::type;
template <typename T> using std::add_const_t = const T;
template <typename T> using std::add_pointer_t = typename std::add_pointer<T>::type;
template <typename T> using std::underlying_type_t = decltype(std::__underlying<T>());
template <typename... T> using std::common_type_t = typename std::common_type<T...>::type;
template <typename T> struct std::remove_cvref : std::remove_cv<std::remove_reference_t<T>> {};
template <typename T> struct std::__decayed : std::remove_cv<T> {};
template <typename T, size_t N> struct std::__decayed<T[N]> { using type = T*; };
template <typename T> struct std::decay : std::__decayed<std::remove_reference_t<T>> {};
template <typename T> using std::remove_cv_t = typename std::remove_cv<T>::type;
template <typename T> using std::remove_cvref_t = typename std::remove_cvref<T>::type;
template <typename T> using std::decay_t = typename std::decay<T>::type;
template <typename T> struct std::is_array : std::false_type {};
template <typename T, size_t N> struct std::is_array<T[N]> : std::true_type {};
template <typename T> struct std::rank : std::integral_constant<size_t, 0> {};
template <typename T, size_t N> struct std::rank<T[N]> : std::integral_constant<size_t, 1 + std::rank<T>::value> {};
template <typename T, unsigned I = 0> struct std::extent : std::integral_constant<size_t, 0> {};
template <typename T, size_t N> struct std::extent<T[N], 0> : std::integral_constant<size_t, N> {};
template <typename T, size_t N, unsigned I> struct std::extent<T[N], I> : std::extent<T, I - 1> {};
template <typename T> struct std::remove_extent { using type = T; };
template <typename T, size_t N> struct std::remove_extent<T[N]> { using type = T; };
template <typename T> constexpr bool std::is_array_v = std::is_array<T>::value;
template <typename T> constexpr size_t std::rank_v = std::rank<T>::value;
template <typename T, unsigned I = 0> constexpr size_t std::extent_v = std::extent<T, I>::value;
template <typename T> using std::remove_extent_t = typename std::remove_extent<T>::type;
template <typename T> struct std::make_unsigned { using type = T; };
template <> struct std::make_unsigned<char> { using type = unsigned char; };
template <> struct std::make_unsigned<short> { using type = unsigned short; };
template <> struct std::make_unsigned<int> { using type = unsigned; };
template <> struct std::make_unsigned<signed char> { using type = unsigned char; };
template <> struct std::make_unsigned<long> { using type = unsigned long; };
template <> struct std::make_unsigned<long long> { using type = unsigned long long; };
template <typename T> struct std::make_signed { using type = T; };
template <> struct std::make_signed<unsigned char> { using type = signed char; };
template <> struct std::make_signed<char> { using type = signed char; };
template <> struct std::make_signed<unsigned long> { using type = long; };
template <> struct std::make_signed<unsigned short> { using type = short; };
template <> struct std::make_signed<unsigned> { using type = int; };
template <> struct std::make_signed<unsigned long long> { using type = long long; };
template <typename T> using std::make_unsigned_t = typename std::make_unsigned<T>::type;
template <typename T> using std::make_signed_t = typename std::make_signed<T>::type;
template <typename T> __device__ T&& std::declval() {
  return static_cast<T&&>(*(std::remove_reference_t<T>*)nullptr);
}
)cuda";

constexpr const char* kConcepts = R"cuda(
template <typename T> constexpr bool std::integral = std::is_integral_v<T>;
template <typename T> constexpr bool std::floating_point = std::is_floating_point_v<T>;
template <typename T> constexpr bool std::signed_integral = std::is_integral_v<T> && std::is_signed_v<T>;
template <typename T> constexpr bool std::unsigned_integral = std::is_integral_v<T> && std::is_unsigned_v<T>;
template <typename T, typename U> constexpr bool std::same_as = std::is_same<T, U>::value;
)cuda";

constexpr const char* kUtility = R"cuda(
template <size_t... I> struct std::index_sequence {
  __device__ static constexpr size_t size() { return sizeof...(I); }
};
template <size_t N, size_t... I> struct std::__counted : std::__counted<N - 1, N - 1, I...> {};
template <size_t... I> struct std::__counted<0, I...> { using type = std::index_sequence<I...>; };
template <size_t N> using std::make_index_sequence = typename std::__counted<N>::type;
template <typename T, T... I> struct std::integer_sequence {
  using value_type = T;
  __device__ static constexpr size_t size() { return sizeof...(I); }
};
template <typename T, size_t N, T... I> struct std::__counted_of : std::__counted_of<T, N - 1, N - 1, I...> {};
template <typename T, T... I> struct std::__counted_of<T, 0, I...> { using type = std::integer_sequence<T, I...>; };
template <typename T, T N> using std::make_integer_sequence = typename std::__counted_of<T, N>::type;

template <typename To, typename From> __device__ To std::bit_cast(const From& from) { return *(const To*)&from; }

template <typename A, typename B> struct std::pair {
  using first_type = A;
  using second_type = B;
  A first;
  B second;
  __device__ std::pair() : first(), second() {}
  __device__ std::pair(const A& a, const B& b) : first(a), second(b) {}
};
template <typename A, typename B> __device__ std::pair<A, B> std::make_pair(A a, B b) {
  return std::pair<A, B>(a, b);
}
template <typename A, typename B> __device__ bool operator==(const std::pair<A, B>& p, const std::pair<A, B>& q) {
  return p.first == q.first && p.second == q.second;
}
template <typename A, typename B> __device__ bool operator<(const std::pair<A, B>& p, const std::pair<A, B>& q) {
  return p.first < q.first || (!(q.first < p.first) && p.second < q.second);
}

template <typename T> struct std::span {
  using element_type = T;
  T* _M_ptr;
  size_t _M_extent;
  __device__ std::span() : _M_ptr(nullptr), _M_extent(0) {}
  __device__ std::span(T* data, size_t size) : _M_ptr(data), _M_extent(size) {}
  __device__ constexpr T* data() const { return _M_ptr; }
  __device__ constexpr size_t size() const { return _M_extent; }
  __device__ constexpr size_t size_bytes() const { return _M_extent * sizeof(T); }
  __device__ constexpr bool empty() const { return _M_extent == 0; }
  __device__ constexpr T& operator[](size_t i) const { return _M_ptr[i]; }
  __device__ constexpr T& front() const { return _M_ptr[0]; }
  __device__ constexpr T& back() const { return _M_ptr[_M_extent - 1]; }
  __device__ constexpr T* begin() const { return _M_ptr; }
  __device__ constexpr T* end() const { return _M_ptr + _M_extent; }
  __device__ std::span<T> first(size_t n) const { return std::span<T>(_M_ptr, n); }
  __device__ std::span<T> last(size_t n) const { return std::span<T>(_M_ptr + (_M_extent - n), n); }
  __device__ std::span<T> subspan(size_t at) const { return std::span<T>(_M_ptr + at, _M_extent - at); }
  __device__ std::span<T> subspan(size_t at, size_t n) const { return std::span<T>(_M_ptr + at, n); }
};

template <typename T, size_t N> struct std::array {
  using value_type = T;
  using size_type = size_t;
  using iterator = T*;
  using const_iterator = const T*;
  T _M_elems[N];
  __device__ constexpr T& operator[](size_t i) { return _M_elems[i]; }
  __device__ constexpr const T& operator[](size_t i) const { return _M_elems[i]; }
  __device__ constexpr T& front() { return _M_elems[0]; }
  __device__ constexpr const T& front() const { return _M_elems[0]; }
  __device__ constexpr T& back() { return _M_elems[N - 1]; }
  __device__ constexpr const T& back() const { return _M_elems[N - 1]; }
  __device__ constexpr T* data() { return _M_elems; }
  __device__ constexpr const T* data() const { return _M_elems; }
  __device__ constexpr T* begin() { return _M_elems; }
  __device__ constexpr const T* begin() const { return _M_elems; }
  __device__ constexpr T* end() { return _M_elems + N; }
  __device__ constexpr const T* end() const { return _M_elems + N; }
  __device__ constexpr size_t size() const { return N; }
  __device__ constexpr bool empty() const { return N == 0; }
  __device__ void fill(const T& value) {
    for (size_t i = 0; i < N; ++i) _M_elems[i] = value;
  }
};
)cuda";

// Function objects: std::plus<float>, and std::plus<> for any arguments.
std::string functionObjects() {
  std::string text;
  for (const auto& [name, op] : std::map<std::string, std::string>{{"plus", "+"},
                                                                   {"minus", "-"},
                                                                   {"multiplies", "*"},
                                                                   {"divides", "/"},
                                                                   {"modulus", "%"},
                                                                   {"bit_and", "&"},
                                                                   {"bit_or", "|"},
                                                                   {"bit_xor", "^"},
                                                                   {"logical_and", "&&"},
                                                                   {"logical_or", "||"},
                                                                   {"less", "<"},
                                                                   {"greater", ">"},
                                                                   {"less_equal", "<="},
                                                                   {"greater_equal", ">="},
                                                                   {"equal_to", "=="},
                                                                   {"not_equal_to", "!="}}) {
    text += fmt::format(
        "template <typename T = void> struct std::{0} {{\n"
        "  __device__ auto operator()(const T& a, const T& b) const {{ return a {1} b; }}\n}};\n"
        "template <> struct std::{0}<void> {{\n  template <typename A, typename B>\n"
        "  __device__ auto operator()(const A& a, const B& b) const {{ return a {1} b; }}\n}};\n",
        name, op);
  }
  return text;
}

/// Traits that the checker answers.
bool isBuiltIn(std::string_view name) {
  constexpr std::array<std::string_view, 10> kBuiltIn{
      "is_integral_v", "is_floating_point_v", "is_arithmetic_v", "is_signed_v",   "is_unsigned_v",
      "is_enum_v",     "__underlying",        "__atomic_load",   "__atomic_swap", "__atomic_cas"};
  return std::ranges::count(kBuiltIn, name) > 0;
}

/// `std`, `::` and a name of the library as one token.
std::vector<Token> joined(const std::vector<Token>& tokens,
                          const std::map<std::string_view, std::string>& names) {
  std::vector<Token> result;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    result.push_back(tokens[i]);
    const auto name = tokens[i].is("std") ? names.find(tokens[i + 2].text) : names.end();
    if (name == names.end()) continue;
    result.back().text = name->second;
    i += 2;
  }
  return result;
}

struct Library {
  Library() {
    std::vector<Diagnostic> none;
    for (std::size_t p = 0; p < kLibraryParts; ++p) {
      texts[p] = tokenize(sources[p], none);
      std::vector<Token>& part = texts[p].tokens;
      part.pop_back();
      for (std::size_t i = 0; i + 2 < part.size(); ++i) {
        const std::string_view name = part[i + 2].text;
        if (part[i].is("std") && !isBuiltIn(name)) names.emplace(name, fmt::format("std::{}", name));
      }
    }
    for (std::size_t p = 0; p < kLibraryParts; ++p) tokens[p] = joined(texts[p].tokens, names);
  }

  std::array<SourceText, kLibraryParts> sources{
      SourceText("<standard library>", kTypeTraits + std::string(kUtility) + functionObjects()),
      SourceText("<concepts>", kConcepts), SourceText("<cuda/atomic>", atomicLibrary())};
  std::array<TokenizedText, kLibraryParts> texts;
  std::map<std::string_view, std::string> names;
  std::array<std::vector<Token>, kLibraryParts> tokens;
};

const Library& library() {
  static const Library parts;
  return parts;
}

}  // namespace

const std::vector<Token>& standardLibrary(LibraryPart part) {
  return library().tokens[static_cast<std::size_t>(part)];
}

LibraryPart findPart(std::string_view word) {
  return isOfCuda(word)            ? LibraryPart::Atomics
         : isStandardConcept(word) ? LibraryPart::Concepts
                                   : LibraryPart::Plain;
}

bool isOfCuda(std::string_view word) {
  return word.starts_with("atomic") || word.starts_with("memory_order") || word.starts_with("thread_scope");
}

std::string_view standardName(std::string_view word) {
  const auto found = library().names.find(word);
  return found == library().names.end() ? std::string_view() : found->second;
}

}  // namespace lanescope::syntax
