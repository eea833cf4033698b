template<class T=A<>>struct A{};
__global__ void k(int*o){o[0]=sizeof(A<>);}
