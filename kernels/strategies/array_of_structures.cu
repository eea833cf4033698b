// Addition of points stored as an array of structures: a point's four fields are adjacent in memory,
// so that the same field of adjacent points is four words apart. n may be any number; what makes no
// whole point is added alone.
struct Point {
  float x;
  float y;
  float z;
  float w;
};

__global__ void array_of_structures(const float* in, const float* b, float* out, unsigned int n) {
  const Point* p = reinterpret_cast<const Point*>(in);
  const Point* q = reinterpret_cast<const Point*>(b);
  Point* sum = reinterpret_cast<Point*>(out);
  const unsigned int points = n / 4;
  const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int threads = gridDim.x * blockDim.x;

  for (unsigned int i = thread; i < points; i += threads) {
    sum[i].x = p[i].x + q[i].x;
    sum[i].y = p[i].y + q[i].y;
    sum[i].z = p[i].z + q[i].z;
    sum[i].w = p[i].w + q[i].w;
  }
  for (unsigned int i = 4 * points + thread; i < n; i += threads) out[i] = in[i] + b[i];
}
