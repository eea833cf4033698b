template<class T>requires(f(T()))__device__ int f(T){return 1;}
__global__ void k(int*o){o[0]=f(1);}
