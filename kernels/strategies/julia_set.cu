// A Julia set: for each point of the square from -2 - 2i to 2 + 2i, how often z = z * z + c can be
// applied before |z| exceeds 2, at most 255 times. Every point has its own number of iterations, and a
// warp takes as many as the slowest of its lanes.
__device__ inline unsigned int iterations(float re, float im) {
  unsigned int count = 0;
  while (count < 255 && re * re + im * im <= 4.0f) {
    const float next = re * re - im * im - 0.79f;
    im = 2.0f * re * im + 0.15f;
    re = next;
    ++count;
  }
  return count;
}

__global__ void julia_set(float* out, unsigned int width, unsigned int height) {
  const unsigned int points = width * height;
  const unsigned int stride = gridDim.x * blockDim.x;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < points; i += stride) {
    const float x = static_cast<float>(i % width);
    const float y = static_cast<float>(i / width);
    const float re = -2.0f + 4.0f * x / static_cast<float>(width);
    const float im = -2.0f + 4.0f * y / static_cast<float>(height);
    out[i] = static_cast<float>(iterations(re, im));
  }
}
