struct Particle { float3 pos, vel; __device__ void step(float dt) { pos.x += vel.x * dt; pos.y += vel.y * dt; pos.z += vel.z * dt; } };
__global__ void particles(Particle* p, float dt, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i].step(dt); }
__host__ __device__ inline float3 operator+(const float3& a, const float3& b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
__host__ __device__ inline void operator+=(float3& a, float3 b) { a.x += b.x; a.y += b.y; a.z += b.z; }
__host__ __device__ inline float3 operator*(float s, float3 a) { return make_float3(s * a.x, s * a.y, s * a.z); }
__host__ __device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__global__ void float3ops(float3* v, float* d, int n) { int i = threadIdx.x; if (i < n) { float3 a = v[i]; a += 2.0f * a + v[(i + 1) % n]; d[i] = dot(a, v[i]); } }
struct cuComplexT { float r; float i; __device__ cuComplexT(float a, float b) : r(a), i(b) {} __device__ float magnitude2(void) { return r * r + i * i; }
  __device__ cuComplexT operator*(const cuComplexT& a) { return cuComplexT(r * a.r - i * a.i, i * a.r + r * a.i); }
  __device__ cuComplexT operator+(const cuComplexT& a) { return cuComplexT(r + a.r, i + a.i); } };
__device__ int julia(int x, int y) { const float scale = 1.5; float jx = scale * (float)(32 - x) / 32; float jy = scale * (float)(32 - y) / 32; cuComplexT c(-0.8, 0.156); cuComplexT a(jx, jy); int i = 0; for (i = 0; i < 200; i++) { a = a * a + c; if (a.magnitude2() > 1000) return 0; } return 1; }
__global__ void juliaKernel(unsigned char* ptr) { int x = blockIdx.x; int y = blockIdx.y; int offset = x + y * gridDim.x; ptr[offset * 4 + 0] = 255 * julia(x, y); }
#define INF 2e10f
struct Sphere { float r, b, g; float radius; float x, y, z; __device__ float hit(float ox, float oy, float* n) { float dx = ox - x; float dy = oy - y; if (dx * dx + dy * dy < radius * radius) { float dz = sqrtf(radius * radius - dx * dx - dy * dy); *n = dz / sqrtf(radius * radius); return dz + z; } return -INF; } };
__constant__ Sphere s[20];
__global__ void rays(unsigned char* ptr) { int x = threadIdx.x + blockIdx.x * blockDim.x; float ox = x - 16; float r = 0, maxz = -INF; for (int i = 0; i < 20; i++) { float n; float t = s[i].hit(ox, 0, &n); if (t > maxz) { float fscale = n; r = s[i].r * fscale; maxz = t; } } ptr[x] = (int)(r * 255); }
struct Lock { int* mutex; __device__ void lock(void) { while (atomicCAS(mutex, 0, 1) != 0); } __device__ void unlock(void) { atomicExch(mutex, 0); } };
__global__ void locked(Lock lock, int* sum) { if (threadIdx.x == 0) { lock.lock(); *sum += 1; lock.unlock(); } }
template <typename T> class Array { public: __device__ Array(T* p, int n) : p_(p), n_(n) {} __device__ T& operator[](int i) { return p_[i]; } __device__ int size() const { return n_; } private: T* p_; int n_; };
template <typename T> __device__ T sumAll(Array<T>& a) { T s = T(); for (int i = 0; i < a.size(); ++i) s += a[i]; return s; }
__global__ void arrays(float* p, int n) { Array<float> a(p, n); a[threadIdx.x] += 1; __syncthreads(); if (threadIdx.x == 0) a[0] = sumAll(a); }
template <typename T, int N> struct StaticVec { T data[N]; __host__ __device__ T& operator[](int i) { return data[i]; } __host__ __device__ const T& operator[](int i) const { return data[i]; } __device__ T sum() const { T s = 0; for (int i = 0; i < N; i++) s += data[i]; return s; } };
template <typename T, int N> __host__ __device__ StaticVec<T, N> operator+(const StaticVec<T, N>& a, const StaticVec<T, N>& b) { StaticVec<T, N> r; for (int i = 0; i < N; i++) r[i] = a[i] + b[i]; return r; }
__global__ void staticvecs(float* o) { StaticVec<float, 3> a = {{1, 2, 3}}; StaticVec<float, 3> b; b[0] = threadIdx.x; b[1] = 1; b[2] = 2; o[threadIdx.x] = (a + b).sum(); }
struct KeyValue { int key; float value; __device__ bool operator<(const KeyValue& o) const { return key < o.key || (key == o.key && value < o.value); } };
__global__ void sharedStructs(KeyValue* kv) { __shared__ KeyValue tile[32]; int t = threadIdx.x; tile[t] = kv[t]; __syncthreads(); for (int k = 0; k < 32; k++) { int j = (k & 1) + 2 * t; if (t < 15 && tile[j + 1] < tile[j]) { KeyValue x = tile[j]; tile[j] = tile[j + 1]; tile[j + 1] = x; } __syncthreads(); } kv[t] = tile[t]; }
enum class Op { Add, Mul };
template <Op op> struct Apply; template <> struct Apply<Op::Add> { static __device__ int run(int a, int b) { return a + b; } }; template <> struct Apply<Op::Mul> { static __device__ int run(int a, int b) { return a * b; } };
template <Op op> __global__ void applied(int* o) { o[threadIdx.x] = Apply<op>::run(threadIdx.x, 3); }
struct Base { int id; __device__ Base(int i) : id(i) {} __device__ int get() const { return id; } }; struct Child : public Base { float w; __device__ Child(int i, float f) : Base(i), w(f) {} __device__ float both() const { return w + get(); } };
__global__ void children(float* o) { Child c(threadIdx.x, 0.5f); Base* b = &c; o[threadIdx.x] = c.both() + b->get(); }
struct Poly { virtual __device__ int f() { return 1; } };
__global__ void virtuals(int* o) { Poly p; o[0] = p.f(); }
struct Flags { unsigned a : 3; unsigned b : 5; };
__global__ void bitfields(int* o) { Flags f; f.a = 3; o[0] = f.a; }
struct Raii { int* p; __device__ Raii(int* q) : p(q) { *p = 1; } __device__ ~Raii() { *p = 2; } };
__global__ void raii(int* o) { Raii r(o); }
struct HostM { int x; int get() { return x; } };
__global__ void hostmethod(int* o) { HostM h; h.x = 1; o[0] = h.get(); }
template <typename F> __global__ void forEach(int n, int* o, F f) { int i = threadIdx.x; if (i < n) f(i); }
template <typename... Ts> __device__ int count(Ts... ts) { return sizeof...(Ts); }
__global__ void packs(int* o) { o[0] = count(1, 2); }
typedef float (*Fn)(float); __device__ float sq(float x) { return x * x; } __device__ float cube(float x) { return x * x * x; }
__global__ void fnptr(float* o) { Fn f = sq; o[0] = f(2); }
__device__ float (*table[2])(float) = {sq, cube};
__global__ void fntable(float* o) { o[threadIdx.x] = table[threadIdx.x & 1](2.0f); }
struct Pixel { unsigned char r, g, b; __device__ unsigned char gray() const { return (unsigned char)(0.299f * r + 0.587f * g + 0.114f * b); } };
__global__ void gray(const Pixel* in, unsigned char* o, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) o[i] = in[i].gray(); }
struct Mat { int w, h; float* d; __device__ float get(int r, int c) const { return d[r * w + c]; } __device__ void set(int r, int c, float v) { d[r * w + c] = v; } __device__ Mat sub(int r, int c) const { Mat m; m.w = w; m.h = 4; m.d = &d[w * 4 * r + 4 * c]; return m; } };
__global__ void submat(Mat a, Mat b) { Mat s = a.sub(threadIdx.x / 4 % 2, threadIdx.x % 2); b.set(0, threadIdx.x % 8, s.get(1, 1)); }
struct Pair { float v; int i; }; __device__ Pair better(Pair a, Pair b) { return a.v > b.v ? a : b; }
__global__ void argmax(float* x, Pair* o) { Pair p{x[threadIdx.x], (int)threadIdx.x}; for (int s = 16; s; s >>= 1) { Pair q{__shfl_down_sync(~0u, p.v, s), __shfl_down_sync(~0u, p.i, s)}; p = better(p, q); } if (!threadIdx.x) *o = p; }
class Timer { long long t0; public: __device__ Timer() { t0 = clock64(); } __device__ long long stop() { return clock64() - t0; } };
__global__ void timers(long long* o) { Timer t; o[threadIdx.x] = t.stop() > 0; }
struct Acc { float s = 0, c = 0; __device__ void add(float x) { float y = x - c; float t = s + y; c = (t - s) - y; s = t; } };
__global__ void kahan(const float* x, float* o, int n) { Acc a; for (int i = threadIdx.x; i < n; i += blockDim.x) a.add(x[i]); o[threadIdx.x] = a.s; }
__global__ void lambdaArray(float* o) { float a[4] = {1, 2, 3, 4}; auto sum = [&a](int n) { float s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }; auto add = [](float x) { return [x](float y) { return x + y; }; }; o[threadIdx.x] = sum(threadIdx.x % 5) + add(1)(2); }
__global__ void localStruct(int* o) { struct P { int a, b; __device__ int sum() { return a + b; } } p = {1, 2}; p.a = threadIdx.x; o[threadIdx.x] = p.sum(); }
__global__ void unionPun(const float* x, unsigned* o) { union { float f; unsigned u; } c; c.f = x[threadIdx.x]; o[threadIdx.x] = c.u >> 23 & 255; }
union F4 { float4 v; float a[4]; }; __global__ void unionVec(const float4* x, float* o) { F4 u; u.v = x[threadIdx.x]; float s = 0; for (int i = 0; i < 4; i++) s += u.a[i]; o[threadIdx.x] = s; }
__global__ void sharedUnion(int* o) { __shared__ union { int i[32]; float f[32]; } u; u.i[threadIdx.x] = threadIdx.x; __syncthreads(); o[threadIdx.x] = u.i[31 - threadIdx.x]; }
