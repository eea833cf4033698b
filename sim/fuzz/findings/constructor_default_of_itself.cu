struct S{int x;__device__ S(int a=S().x){}};
__global__ void k(int*o){o[0]=S().x;}
