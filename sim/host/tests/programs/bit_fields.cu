// Structs with bit-fields that the host and a kernel both read and write.
#include <cstdio>

#define CHECK(call)                                                                   \
  do {                                                                                \
    cudaError_t status = (call);                                                      \
    if (status != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      return 1;                                                                       \
    }                                                                                 \
  } while (0)

struct Particle {
  unsigned alive : 1;
  unsigned age : 7;
  unsigned short kind : 4;
  int speed : 9;
  float mass;
  bool isHeavy : 1;
  long long id : 40;
};

__global__ void step(Particle* particles, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  Particle p = particles[i];
  p.age += 1;
  p.alive = p.age < 100;
  p.speed -= 50;
  p.kind ^= i;
  p.isHeavy = p.mass > 4;
  p.id = -p.id;
  particles[i] = p;
  particles[i].speed *= 2;
  particles[i].kind++;
}

int main() {
  const int n = 8;
  Particle* particles;
  CHECK(cudaMallocManaged(&particles, n * sizeof(Particle)));
  for (int i = 0; i < n; ++i) {
    particles[i].alive = 1;
    particles[i].age = 95 + i;
    particles[i].kind = 15 - i;
    particles[i].speed = 10 * i;
    particles[i].mass = i;
    particles[i].isHeavy = false;
    particles[i].id = 100000000000LL * (i % 5);
  }
  step<<<1, n>>>(particles, n);
  CHECK(cudaDeviceSynchronize());
  printf("%zu bytes\n", sizeof(Particle));
  for (int i = 0; i < n; ++i) {
    const Particle& p = particles[i];
    printf("%d %d %d %d %d %lld\n", p.alive, p.age, p.kind, p.speed, p.isHeavy, (long long)p.id);
  }
  CHECK(cudaFree(particles));
  return 0;
}
