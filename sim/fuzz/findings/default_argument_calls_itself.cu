__device__ int f(int a=f());__device__ int f(int a){return a;}
__global__ void k(int*o){o[0]=f();}
