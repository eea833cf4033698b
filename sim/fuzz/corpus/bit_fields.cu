struct Flags { unsigned alive : 1, age : 7; unsigned short kind : 4; int : 3; int delta : 5; bool on : 1; long long id : 40; };
__constant__ Flags first = {1, 2, 3, -4, true, 5};
__global__ void bitFields(Flags* f, int* out) {
  Flags g = first;
  g.age += threadIdx.x;
  g.delta--;
  f[threadIdx.x] = g;
  f[threadIdx.x].id -= 7;
  out[threadIdx.x] = f[threadIdx.x].delta + g.kind - g.age;
}
