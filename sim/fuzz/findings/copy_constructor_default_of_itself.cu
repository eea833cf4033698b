struct S{__device__ S(const S&a=S()){}int x;};
__global__ void k(int*o){o[0]=S().x;}
