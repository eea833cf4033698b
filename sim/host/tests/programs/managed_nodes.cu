// Objects in managed memory, each of an allocation of its own: a list, a tree and rows by pointers.
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Managed {
  void* operator new(size_t bytes) {
    void* memory = nullptr;
    if (cudaMallocManaged(&memory, bytes) != cudaSuccess) {
      printf("no memory\n");
      exit(1);
    }
    return memory;
  }
  void operator delete(void* memory) {
    cudaDeviceSynchronize();
    cudaFree(memory);
  }
};

struct Node : Managed {
  int value;
  Node* next;
  Node(int v, Node* n) : value(v), next(n) {}
};

struct Tree : Managed {
  int key;
  Tree* left = nullptr;
  Tree* right = nullptr;
  explicit Tree(int k) : key(k) {}
  ~Tree() {
    delete left;
    delete right;
  }
};

__global__ void doubleAll(Node* head, int* sum) {
  *sum = 0;
  for (Node* node = head; node != nullptr; node = node->next) *sum += node->value *= 2;
}

__global__ void depths(const Tree* root, int* depth, int n) {
  const int key = threadIdx.x;
  if (key >= n) return;
  int d = 0;
  while (root != nullptr && root->key != key) {
    root = key < root->key ? root->left : root->right;
    ++d;
  }
  depth[key] = root == nullptr ? -1 : d;
}

__global__ void addRows(int** rows, int width) {
  for (int x = threadIdx.x; x < width; x += blockDim.x) rows[blockIdx.x][x] += blockIdx.x * 100 + x;
}

void insert(Tree*& tree, int key) {
  if (tree == nullptr) {
    tree = new Tree(key);
  } else if (key != tree->key) {
    insert(key < tree->key ? tree->left : tree->right, key);
  }
}

int main() {
  int* out = nullptr;
  cudaMallocManaged(&out, 256 * sizeof(int));

  Node* head = nullptr;
  for (int i = 1; i <= 400; ++i) head = new Node(i, head);
  for (int round = 0; round < 2; ++round) {
    doubleAll<<<1, 1>>>(head, out);
    cudaDeviceSynchronize();
    printf("sum %d, first %d\n", *out, head->value);
  }
  while (head != nullptr) {
    Node* const next = head->next;
    delete head;
    head = next;
  }

  Tree* root = nullptr;
  unsigned random = 7;
  for (int i = 0; i < 300; ++i) {
    random = random * 1664525u + 1013904223u;
    insert(root, random >> 24);
  }
  depths<<<1, 256>>>(root, out, 256);
  cudaDeviceSynchronize();
  int deepest = 0, found = 0;
  for (int key = 0; key < 256; ++key) {
    found += out[key] >= 0;
    if (out[key] > deepest) deepest = out[key];
  }
  printf("%d keys, the deepest at %d\n", found, deepest);
  delete root;

  const int height = 200, width = 50;
  int** rows = nullptr;
  cudaMallocManaged(&rows, height * sizeof(int*));
  std::vector<int*> pinned(height);
  for (int y = 0; y < height; ++y) {
    cudaMallocManaged(&rows[y], width * sizeof(int));
    for (int x = 0; x < width; ++x) rows[y][x] = 1;
    cudaMallocHost(&pinned[y], width * sizeof(int));
  }
  addRows<<<height, 32>>>(rows, width);
  cudaDeviceSynchronize();
  long total = 0;
  for (int y = 0; y < height; ++y) {
    cudaMemcpy(pinned[y], rows[y], width * sizeof(int), cudaMemcpyDefault);
    for (int x = 0; x < width; ++x) total += pinned[y][x];
    cudaFree(rows[y]);
    cudaFreeHost(pinned[y]);
  }
  cudaFree(rows);
  cudaFree(out);
  printf("total %ld\n%s\n", total, cudaGetErrorString(cudaGetLastError()));
}
