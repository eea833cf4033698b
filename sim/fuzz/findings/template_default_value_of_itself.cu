template<int N=A<>::v>struct A{static constexpr int v=1;};
__global__ void k(int*o){o[0]=A<>::v;}
