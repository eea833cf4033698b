__global__ void k(int* data) {
  curandState state;
  curand_init(1234, threadIdx.x, 3, &state);
  curandStatePhilox4_32_10_t other;
  curand_init(5, 1, threadIdx.x, &other);
  float2 pair = curand_normal2(&state);
  uint4 four = curand4(&other);
  skipahead(7, &other);
  skipahead(3, &state);
  skipahead_sequence(2, &state);
  double4 wide = curand_normal4_double(&other);
  float sum = curand_uniform(&state) + curand_normal(&state) + pair.y + curand_log_normal(&other, 0.f, 1.f);
  data[threadIdx.x & 31] = (int)(sum + curand_uniform_double(&other)) + curand(&state) + four.w + (int)wide.z;
}
