__constant__ const char* names[] = {"red", "green"};
__device__ int values[3] = {1, 2, 3};
__device__ int* places[] = {values, &values[2], values + 1};
struct Item { char name[4]; int* at; };
__device__ Item items[2] = {{"ab", values}, {.name = "c", .at = &values[1]}};
__global__ void initial(int* out) { out[threadIdx.x] = names[threadIdx.x & 1][1] + *places[threadIdx.x % 3] + *items[1].at; }
