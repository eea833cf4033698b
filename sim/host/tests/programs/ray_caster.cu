// Spheres by ray casting: a vector class with operators, a base class, a class for the camera.
#include <cmath>
#include <cstdio>
#include <vector>

class Vec3 {
 public:
  float x, y, z;
  __host__ __device__ Vec3(float x = 0, float y = 0, float z = 0) : x(x), y(y), z(z) {}
  __host__ __device__ Vec3 operator+(const Vec3 &o) const { return Vec3(x + o.x, y + o.y, z + o.z); }
  __host__ __device__ Vec3 operator-(const Vec3 &o) const { return Vec3(x - o.x, y - o.y, z - o.z); }
  __host__ __device__ Vec3 operator-() const { return Vec3(-x, -y, -z); }
  __host__ __device__ Vec3 &operator/=(float s) {
    x /= s;
    y /= s;
    z /= s;
    return *this;
  }
  __host__ __device__ float dot(const Vec3 &o) const { return x * o.x + y * o.y + z * o.z; }
  __host__ __device__ float length() const { return sqrtf(dot(*this)); }
  __host__ __device__ Vec3 normalized() const {
    Vec3 result = *this;
    return result /= length();
  }
};
__host__ __device__ inline Vec3 operator*(float s, const Vec3 &v) { return Vec3(s * v.x, s * v.y, s * v.z); }

struct Ray {
  Vec3 origin, direction;
  __host__ __device__ Vec3 at(float t) const { return origin + t * direction; }
};
struct Hit {
  float t = 1e30f;
  int object = -1;
  Vec3 normal;
};

struct Object {
  Vec3 center;
  __host__ __device__ Object(const Vec3 &center) : center(center) {}
};
class Sphere : public Object {
  float radius_;

 public:
  __host__ __device__ Sphere(const Vec3 &center, float radius) : Object(center), radius_(radius) {}
  __host__ __device__ bool intersect(const Ray &ray, float &t) const;
};
__host__ __device__ bool Sphere::intersect(const Ray &ray, float &t) const {
  const Vec3 to = center - ray.origin;
  const float along = to.dot(ray.direction);
  const float away = to.dot(to) - along * along;
  if (along < 0 || away > radius_ * radius_) return false;
  t = along - sqrtf(radius_ * radius_ - away);
  return t > 0;
}

class Camera {
 public:
  Camera(int width, int height) : width_(width), height_(height) {}
  __host__ __device__ int width() const { return width_; }
  __host__ __device__ int height() const { return height_; }
  __host__ __device__ Ray ray(int column, int row) const {
    const float u = (column + 0.5f) / width_ * 2 - 1;
    const float v = 1 - (row + 0.5f) / height_ * 2;
    return Ray{Vec3(0, 0, -4), Vec3(u * 1.6f, v, 2).normalized()};
  }

 private:
  int width_, height_;
};

__host__ __device__ char shade(const Camera &camera, const Sphere *spheres, int count, int column, int row) {
  const Ray ray = camera.ray(column, row);
  Hit hit;
  for (int s = 0; s < count; ++s) {
    float t;
    if (spheres[s].intersect(ray, t) && t < hit.t) {
      hit.t = t;
      hit.object = s;
      hit.normal = (ray.at(t) - spheres[s].center).normalized();
    }
  }
  if (hit.object < 0) return ' ';
  const float light = hit.normal.dot(-Vec3(-1, -2, 2).normalized());
  return light > 0.6f ? '#' : light > 0.1f ? '+' : '.';
}

__global__ void render(char *image, Camera camera, const Sphere *spheres, int count) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= camera.width() || row >= camera.height()) return;
  image[row * camera.width() + column] = shade(camera, spheres, count, column, row);
}

int main() {
  const Camera camera(60, 24);
  const std::vector<Sphere> spheres = {Sphere(Vec3(-0.9f, 0.1f, 0), 1.0f), Sphere(Vec3(1.1f, -0.3f, 0.5f), 0.8f),
                                       Sphere(Vec3(0.3f, 0.9f, 2), 0.9f)};
  Sphere *d_spheres;
  char *d_image;
  const int pixels = camera.width() * camera.height();
  cudaMalloc(&d_spheres, spheres.size() * sizeof(Sphere));
  cudaMalloc(&d_image, pixels);
  cudaMemcpy(d_spheres, spheres.data(), spheres.size() * sizeof(Sphere), cudaMemcpyHostToDevice);
  const dim3 block(16, 8);
  const dim3 grid((camera.width() + block.x - 1) / block.x, (camera.height() + block.y - 1) / block.y);
  render<<<grid, block>>>(d_image, camera, d_spheres, static_cast<int>(spheres.size()));
  std::vector<char> image(pixels);
  cudaMemcpy(image.data(), d_image, pixels, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int row = 0; row < camera.height(); ++row) {
    for (int column = 0; column < camera.width(); ++column) {
      const char pixel = image[row * camera.width() + column];
      wrong += pixel != shade(camera, spheres.data(), static_cast<int>(spheres.size()), column, row);
    }
    printf("|%.*s|\n", camera.width(), &image[row * camera.width()]);
  }
  printf("%s\n", wrong == 0 ? "PASS" : "FAIL");
  cudaFree(d_spheres);
  cudaFree(d_image);
  return wrong != 0;
}
