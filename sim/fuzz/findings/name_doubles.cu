template<class A,class B>struct P{};template<class T>struct G{using t=typename G<P<T,T>>::t;};
__global__ void k(int*o){o[0]=sizeof(G<int>::t);}
