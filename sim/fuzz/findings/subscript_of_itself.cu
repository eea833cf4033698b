struct S{template<class T,class=decltype(S()[T()])>__device__ int operator[](T);};
__global__ void k(int*o){o[0]=S()[1];}
