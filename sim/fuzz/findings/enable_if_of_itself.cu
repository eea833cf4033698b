#include <type_traits>
template<class T,class=std::enable_if_t<(sizeof(f(T()))>0)>>__device__ int f(T);
__global__ void k(int*o){o[0]=f(1);}
