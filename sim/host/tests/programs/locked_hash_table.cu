// A hash table whose entries are lists, each with a lock: more buffers than the host has regions for.
#include <cstdio>
#include <cstdlib>
#define HANDLE_ERROR(call)                                                            \
  do {                                                                                \
    const cudaError_t error = (call);                                                 \
    if (error != cudaSuccess) {                                                       \
      printf("%s in %s at line %d\n", cudaGetErrorString(error), __FILE__, __LINE__); \
      exit(EXIT_FAILURE);                                                             \
    }                                                                                 \
  } while (0)
struct Lock {
  int* mutex;
  Lock(void) {
    HANDLE_ERROR(cudaMalloc((void**)&mutex, sizeof(int)));
    HANDLE_ERROR(cudaMemset(mutex, 0, sizeof(int)));
  }
  ~Lock(void) { cudaFree(mutex); }
  __device__ void lock(void) {
    while (atomicCAS(mutex, 0, 1) != 0)
      ;
    __threadfence();
  }
  __device__ void unlock(void) {
    __threadfence();
    atomicExch(mutex, 0);
  }
};
#define SIZE (16 * 1024)
#define ELEMENTS (SIZE / sizeof(unsigned int))
#define HASH_ENTRIES 128
struct Entry {
  unsigned int key;
  void* value;
  Entry* next;
};
struct Table {
  size_t count;
  Entry** entries;
  Entry* pool;
};
__device__ __host__ size_t hash(unsigned int value, size_t count) { return value % count; }
void initialize_table(Table& table, int entries, int elements) {
  table.count = entries;
  HANDLE_ERROR(cudaMalloc((void**)&table.entries, entries * sizeof(Entry*)));
  HANDLE_ERROR(cudaMemset(table.entries, 0, entries * sizeof(Entry*)));
  HANDLE_ERROR(cudaMalloc((void**)&table.pool, elements * sizeof(Entry)));
}
void free_table(Table& table) {
  cudaFree(table.entries);
  cudaFree(table.pool);
}
void copy_table_to_host(const Table& table, Table& hostTable) {
  hostTable.count = table.count;
  hostTable.entries = (Entry**)calloc(table.count, sizeof(Entry*));
  hostTable.pool = (Entry*)malloc(ELEMENTS * sizeof(Entry));
  HANDLE_ERROR(
      cudaMemcpy(hostTable.entries, table.entries, table.count * sizeof(Entry*), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaMemcpy(hostTable.pool, table.pool, ELEMENTS * sizeof(Entry), cudaMemcpyDeviceToHost));
  for (int i = 0; i < table.count; i++) {
    if (hostTable.entries[i] != NULL)
      hostTable.entries[i] =
          (Entry*)((size_t)hostTable.entries[i] - (size_t)table.pool + (size_t)hostTable.pool);
  }
  for (int i = 0; i < ELEMENTS; i++) {
    if (hostTable.pool[i].next != NULL)
      hostTable.pool[i].next =
          (Entry*)((size_t)hostTable.pool[i].next - (size_t)table.pool + (size_t)hostTable.pool);
  }
}
__global__ void add_to_table(unsigned int* keys, void** values, Table table, Lock* lock) {
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  int stride = blockDim.x * gridDim.x;
  while (tid < ELEMENTS) {
    unsigned int key = keys[tid];
    size_t hashValue = hash(key, table.count);
    for (int i = 0; i < 32; i++) {
      if ((tid % 32) == i) {
        Entry* location = &(table.pool[tid]);
        location->key = key;
        location->value = values[tid];
        lock[hashValue].lock();
        location->next = table.entries[hashValue];
        table.entries[hashValue] = location;
        lock[hashValue].unlock();
      }
    }
    tid += stride;
  }
}
void verify_table(const Table& dev_table) {
  Table table;
  copy_table_to_host(dev_table, table);
  int count = 0;
  for (size_t i = 0; i < table.count; i++) {
    Entry* current = table.entries[i];
    while (current != NULL) {
      ++count;
      if (hash(current->key, table.count) != i)
        printf("%d hashed to %ld, but was located at %ld\n", current->key, hash(current->key, table.count),
               i);
      current = current->next;
    }
  }
  if (count != ELEMENTS)
    printf("%d elements found in hash table.  Should be %ld\n", count, ELEMENTS);
  else
    printf("All %d elements found in hash table.\n", count);
  free(table.pool);
  free(table.entries);
}
int main(void) {
  unsigned int* buffer = (unsigned int*)malloc(SIZE);
  for (int i = 0; i < ELEMENTS; i++) buffer[i] = rand();
  unsigned int* dev_keys;
  void** dev_values;
  HANDLE_ERROR(cudaMalloc((void**)&dev_keys, SIZE));
  HANDLE_ERROR(cudaMalloc((void**)&dev_values, SIZE * 2));
  HANDLE_ERROR(cudaMemcpy(dev_keys, buffer, SIZE, cudaMemcpyHostToDevice));
  Table table;
  initialize_table(table, HASH_ENTRIES, ELEMENTS);
  Lock lock[HASH_ENTRIES];
  Lock* dev_lock;
  HANDLE_ERROR(cudaMalloc((void**)&dev_lock, HASH_ENTRIES * sizeof(Lock)));
  HANDLE_ERROR(cudaMemcpy(dev_lock, lock, HASH_ENTRIES * sizeof(Lock), cudaMemcpyHostToDevice));
  add_to_table<<<4, 256>>>(dev_keys, dev_values, table, dev_lock);
  verify_table(table);
  free_table(table);
  cudaFree(dev_lock);
  cudaFree(dev_keys);
  cudaFree(dev_values);
  free(buffer);
  return 0;
}
