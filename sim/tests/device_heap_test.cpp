// Memory that kernels allocate: malloc and free, new and delete, and what goes wrong with them.
#include "sim/memory/device_memory.h"

#include <gtest/gtest.h>

#include <string>

#include "sim/tests/golden_text.h"
#include "sim/tests/launches.h"
#include "sim/tests/small_kernels.h"

namespace lanescope {
namespace {

using testing::fault;
using testing::Ints;
using testing::left;

std::string heapFault(const std::string& body) {
  const auto run = simulate(testing::launchText(testing::lookUpKernel("", body), 4, {"i32:zero:4"}));
  return run.ok() ? "" : run.error().message;
}

TEST(DeviceHeap, GivesBlocksAndTakesThemBack) {
  DeviceHeap heap(1024);
  EXPECT_EQ(heap.allocate(0), std::nullopt);
  EXPECT_EQ(heap.allocate(1025), std::nullopt);
  EXPECT_EQ(heap.allocate(100), 0U);
  EXPECT_EQ(heap.allocate(16), 112U);
  EXPECT_EQ(heap.allocate(896), 128U);
  EXPECT_EQ(heap.allocate(1), std::nullopt);
  EXPECT_EQ(heap.blocks(), 3U);
  EXPECT_EQ(heap.allocatedBytes(), 1012U);
  EXPECT_EQ(heap.blockAt(111).end, 100U);
  EXPECT_EQ(heap.blockAt(127).begin, 112U);
  EXPECT_EQ(heap.release(112), DeviceHeap::Release::Done);
  EXPECT_EQ(heap.release(112), DeviceHeap::Release::Twice);
  EXPECT_EQ(heap.release(16), DeviceHeap::Release::Never);
  EXPECT_EQ(heap.release(8), DeviceHeap::Release::Never);
  EXPECT_EQ(heap.release(4096), DeviceHeap::Release::Never);
  EXPECT_EQ(heap.blockAt(112).end, 0U);
  EXPECT_EQ(heap.release(0), DeviceHeap::Release::Done);
  EXPECT_EQ(heap.allocate(120), 0U) << "free neighbors are one";
  EXPECT_EQ(heap.release(0), DeviceHeap::Release::Done);
  EXPECT_EQ(heap.release(128), DeviceHeap::Release::Done);
  EXPECT_EQ(heap.allocate(1024), 0U);
}

TEST(DeviceHeap, HoldsListsAndArraysOfThreads) {
  EXPECT_EQ(left("struct Node { int value; Node* next; };",
                 "Node* head = NULL;\n"
                 "for (int i = 0; i <= t; ++i) {\n  Node* n = (Node*)malloc(sizeof(Node));\n"
                 "  n->value = i + 1; n->next = head; head = n;\n}\n"
                 "int s = 0; while (head) { s = s * 10 + head->value; Node* n = head->next; free(head); head "
                 "= n; }\n"
                 "out[t] = s;"),
            (Ints{1, 21, 321, 4321}));
  EXPECT_EQ(
      left("",
           "int* a = new int[t + 2]; a[t + 1] = t; int* b = new int(7); int* c = new int[3]();\n"
           "out[t] = a[t + 1] * 10 + *b + c[2]; delete[] a; delete b; delete[] c; delete (int*)nullptr;"),
      (Ints{7, 17, 27, 37}));
}

TEST(DeviceHeap, MakesObjects) {
  const std::string text =
      "struct Point { int x, y = 4; };\nstruct Made {\n  int n;\n  __device__ Made() : n(base()) {}\n"
      "  __device__ Made(int a, int b) : n(a * 10 + b) {}\n  __device__ static int base() { return kBase; }\n"
      "  static constexpr int kBase = 5;\n};\n";
  EXPECT_EQ(left(text,
                 "Made* a = new Made(t, 2); Made* b = new Made; Point* p = new Point{t};\n"
                 "out[t] = a->n * 100 + b->n * 10 + p->x + p->y; delete a; delete b; delete p;"),
            (Ints{254, 1255, 2256, 3257}));
  EXPECT_EQ(left(text,
                 "Made* all = new Made[3]; all[1] = Made(1, t); out[t] = all[0].n + all[1].n + all[2].n;\n"
                 "delete[] all;"),
            (Ints{20, 21, 22, 23}));
  EXPECT_EQ(left(text,
                 "__shared__ double room[4]; Made* m = new (&room[t]) Made(t, t); __syncthreads();\n"
                 "out[t] = ((Made*)&room[3 - t])->n + (m == (Made*)(room + t));"),
            (Ints{34, 23, 12, 1}));
}

TEST(DeviceHeap, IsBounded) {
  EXPECT_EQ(
      left("",
           "void* p = malloc(2u << 20); char* q = new char[600 << 10]; out[t] = (p == nullptr) * 10 + (q != "
           "nullptr);"),
      (Ints{11, 10, 10, 10}));
  EXPECT_EQ(left("struct Big { char all[2 << 20]; int n; __device__ Big() : n(1) {} };",
                 "int* p = new int(3); out[t] = p ? *p : -1;"),
            (Ints{3, 3, 3, 3}));
}

TEST(DeviceHeap, SaysWhatIsWrong) {
  EXPECT_SAYS(heapFault("int* p = new int; delete p; if (t == 2) delete p; out[t] = 0;"));
  EXPECT_SAYS(heapFault("int* p = new int[4]; free(p + 1);"));
  EXPECT_SAYS(heapFault("free(out);"));
  EXPECT_SAYS(heapFault("int* p = new int[4]; p[t + 1] = 1; out[t] = p[0];"));
  EXPECT_SAYS(heapFault("int* p = new int[4]; delete[] p; out[t] = p[0];"));
  EXPECT_SAYS(fault("", "int* p = malloc(4);"));
  EXPECT_SAYS(fault("", "int (*p)[4] = new int[3][4];"));
  EXPECT_SAYS(fault("", "delete t;"));
}

}  // namespace
}  // namespace lanescope
