// The built-in vector types of CUDA C++ (CUDA C++ Programming Guide, "Built-in Vector Types"), with the
// alignment that it documents, and make_…() for each.
#pragma once
#pragma GCC system_header

#define LANESCOPE_VECTOR1(name, type) \
  struct name##1 {                    \
    type x;                           \
  };                                  \
  static inline name##1 make_##name##1(type x) { return {x}; }
#define LANESCOPE_VECTOR2(name, type, bytes) \
  struct alignas(bytes) name##2 {            \
    type x, y;                               \
  };                                         \
  static inline name##2 make_##name##2(type x, type y) { return {x, y}; }
#define LANESCOPE_VECTOR3(name, type) \
  struct name##3 {                    \
    type x, y, z;                     \
  };                                  \
  static inline name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }
#define LANESCOPE_VECTOR4(name, type, bytes) \
  struct alignas(bytes) name##4 {            \
    type x, y, z, w;                         \
  };                                         \
  static inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
#define LANESCOPE_VECTORS(name, type, bytes2, bytes4) \
  LANESCOPE_VECTOR1(name, type)                       \
  LANESCOPE_VECTOR2(name, type, bytes2)               \
  LANESCOPE_VECTOR3(name, type)                       \
  LANESCOPE_VECTOR4(name, type, bytes4)

LANESCOPE_VECTORS(char, signed char, 2, 4)
LANESCOPE_VECTORS(uchar, unsigned char, 2, 4)
LANESCOPE_VECTORS(short, short, 4, 8)
LANESCOPE_VECTORS(ushort, unsigned short, 4, 8)
LANESCOPE_VECTORS(int, int, 8, 16)
LANESCOPE_VECTORS(uint, unsigned int, 8, 16)
LANESCOPE_VECTORS(long, long, 16, 16)
LANESCOPE_VECTORS(ulong, unsigned long, 16, 16)
LANESCOPE_VECTORS(longlong, long long, 16, 16)
LANESCOPE_VECTORS(ulonglong, unsigned long long, 16, 16)
LANESCOPE_VECTORS(float, float, 8, 16)
LANESCOPE_VECTORS(double, double, 16, 16)

#undef LANESCOPE_VECTORS
#undef LANESCOPE_VECTOR1
#undef LANESCOPE_VECTOR2
#undef LANESCOPE_VECTOR3
#undef LANESCOPE_VECTOR4

/// Extents of a grid or of a block; missing ones are 1.
struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};
