// Containers on the device's heap: virtual destructors, new and delete, placement new, lists.
#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#include <vector>
#define checkCudaErrors(x)                                \
  do {                                                    \
    cudaError_t e = (x);                                  \
    if (e) {                                              \
      printf("%d %s\n", __LINE__, cudaGetErrorString(e)); \
      exit(1);                                            \
    }                                                     \
  } while (0)
template <class T>
class Container {
 public:
  __device__ Container() { ; }
  __device__ virtual ~Container() { ; }
  __device__ virtual void push(T e) = 0;
  __device__ virtual bool pop(T& e) = 0;
};
template <class T>
class Stack : public Container<T> {
 public:
  __device__ Stack() : top(0), cap(8) { data = new T[cap]; }
  __device__ ~Stack() { delete[] data; }
  __device__ void push(T e) {
    if (top == cap) {
      T* d = new T[cap * 2];
      for (int i = 0; i < top; i++) d[i] = data[i];
      delete[] data;
      data = d;
      cap *= 2;
    }
    data[top++] = e;
  }
  __device__ bool pop(T& e) {
    if (top > 0) {
      e = data[--top];
      return true;
    }
    return false;
  }

 private:
  T* data;
  int top, cap;
};
template <class T>
class Vector : public Container<T> {
 public:
  __device__ Vector(T* storage, int maxSize) : m_top(-1), m_data(storage), m_max(maxSize) {}
  __device__ ~Vector() { m_data = 0; }
  __device__ void push(T e) {
    int i = atomicAdd(&m_top, 1) + 1;
    if (i < m_max) m_data[i] = e;
  }
  __device__ bool pop(T& e) {
    int i = atomicSub(&m_top, 1);
    if (i >= 0) {
      e = m_data[i];
      return true;
    }
    m_top = -1;
    return false;
  }

 private:
  int m_top;
  T* m_data;
  int m_max;
};
__global__ void stackCreate(Container<int>** g) {
  if (threadIdx.x == 0) *g = new Stack<int>();
}
__global__ void vectorCreate(Container<int>** g, int max) {
  __shared__ int* buf;
  if (threadIdx.x == 0) buf = new int[max];
  __syncthreads();
  if (threadIdx.x == 0) *g = new Vector<int>(buf, max);
}
__global__ void containerFill(Container<int>** g) {
  if (threadIdx.x == 0 && blockIdx.x == 0)
    for (int i = 0; i < 100; i++) (*g)->push(i);
}
__global__ void containerConsume(Container<int>** g, int* out) {
  if (threadIdx.x == 0) {
    int v, n = 0, s = 0;
    while ((*g)->pop(v)) {
      s += v;
      ++n;
    }
    out[0] = n;
    out[1] = s;
  }
}
__global__ void containerDelete(Container<int>** g) { delete *g; }
struct __align__(16) Complex_t {
  int key;
  double v;
  __device__ Complex_t() : key(0), v(1.5) {}
  __device__ Complex_t(int k) : key(k), v(k * .5) {}
};
__global__ void placementNew(int* result) {
  __shared__ unsigned char __align__(16) buffer[1024 * sizeof(Complex_t) / 32];
  __shared__ Complex_t* ptr;
  if (threadIdx.x == 0) {
    ptr = new (buffer) Complex_t(41);
  }
  __syncthreads();
  Complex_t* mine = new Complex_t[3];
  mine[1] = Complex_t(threadIdx.x);
  result[threadIdx.x] = ptr->key + mine[1].key + (int)(mine[2].v * 2);
  delete[] mine;
}
struct Node {
  int v;
  Node* next;
  __device__ Node(int a, Node* n) : v(a), next(n) {}
};
__global__ void listSum(int* out, int n) {
  Node* head = nullptr;
  for (int i = 0; i < n; ++i) head = new Node(i * threadIdx.x, head);
  int s = 0;
  while (head) {
    s += head->v;
    Node* d = head;
    head = head->next;
    delete d;
  }
  out[threadIdx.x] = s;
  int* arr = new int[4]{1, 2, 3};
  out[threadIdx.x] += arr[2] + arr[3];
  delete[] arr;
  float* z = new float(2.5f);
  out[threadIdx.x] += (int)*z;
  delete z;
}
int main() {
  checkCudaErrors(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 * 1024 * 1024));
  Container<int>** c;
  int* o;
  checkCudaErrors(cudaMalloc(&c, sizeof *c));
  checkCudaErrors(cudaMallocManaged(&o, 256 * 4));
  stackCreate<<<1, 32>>>(c);
  containerFill<<<1, 32>>>(c);
  containerConsume<<<1, 32>>>(c, o);
  containerDelete<<<1, 1>>>(c);
  checkCudaErrors(cudaDeviceSynchronize());
  printf("stack %d %d\n", o[0], o[1]);
  vectorCreate<<<1, 32>>>(c, 128);
  containerFill<<<1, 32>>>(c);
  containerConsume<<<1, 32>>>(c, o);
  containerDelete<<<1, 1>>>(c);
  checkCudaErrors(cudaDeviceSynchronize());
  printf("vector %d %d\n", o[0], o[1]);
  placementNew<<<1, 64>>>(o);
  checkCudaErrors(cudaDeviceSynchronize());
  printf("%d %d\n", o[0], o[63]);
  listSum<<<1, 32>>>(o, 10);
  checkCudaErrors(cudaDeviceSynchronize());
  printf("%d %d\n", o[1], o[31]);
  cudaFree(c);
  cudaFree(o);
}
