// Objects with virtual functions that one kernel makes, others use, and a last one deletes.
#include <cstdio>

#define CHECK(call)                                                                   \
  do {                                                                                \
    cudaError_t status = (call);                                                      \
    if (status != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      return 1;                                                                       \
    }                                                                                 \
  } while (0)

class Shape {
 public:
  __device__ virtual float area() const = 0;
  __device__ virtual const char* name() const { return "shape"; }
  __device__ virtual ~Shape() {}
};

class Circle : public Shape {
 public:
  __device__ Circle(float radius) : radius_(radius) {}
  __device__ float area() const override { return 3.0f * radius_ * radius_; }
  __device__ const char* name() const override { return "circle"; }

 private:
  float radius_;
};

class Rectangle : public Shape {
 public:
  __device__ Rectangle(float width, float height) : width_(width), height_(height) {}
  __device__ float area() const override { return width_ * height_; }

 protected:
  float width_, height_;
};

class Square : public Rectangle {
 public:
  __device__ explicit Square(float side) : Rectangle(side, side) {}
  __device__ const char* name() const override { return "square"; }
};

class Group : public Shape {
 public:
  __device__ Group(Shape** shapes, int n) : shapes_(shapes), n_(n) {}
  __device__ float area() const override {
    float sum = 0;
    for (int i = 0; i < n_; ++i) sum += shapes_[i]->area();
    return sum;
  }
  __device__ const char* name() const override { return "group"; }

 private:
  Shape** shapes_;
  int n_;
};

__global__ void create(Shape** shapes) {
  if (threadIdx.x > 0) return;
  shapes[0] = new Circle(2);
  shapes[1] = new Rectangle(2, 3);
  shapes[2] = new Square(4);
  shapes[3] = new Group(shapes, 3);
}

__global__ void areas(Shape** shapes, float* out) { out[threadIdx.x] = shapes[threadIdx.x]->area(); }

__global__ void names(Shape** shapes) {
  for (int i = 0; i < 4; ++i) printf("%d %s\n", i, shapes[i]->name());
}

__global__ void destroy(Shape** shapes) { delete shapes[threadIdx.x]; }

int main() {
  Shape** shapes;
  float* out;
  CHECK(cudaMalloc(&shapes, 4 * sizeof(Shape*)));
  CHECK(cudaMallocManaged(&out, 4 * sizeof(float)));
  create<<<1, 32>>>(shapes);
  areas<<<1, 4>>>(shapes, out);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 4; ++i) printf("%g ", out[i]);
  printf("\n");
  names<<<1, 1>>>(shapes);
  destroy<<<1, 4>>>(shapes);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(shapes));
  CHECK(cudaFree(out));
  return 0;
}
