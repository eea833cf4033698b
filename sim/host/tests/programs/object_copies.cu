// What becomes of an object's class when the object is copied, assigned or captured.
#include <cstdio>

struct Shape {
  int size;
  __device__ Shape(int s) : size(s) {}
  __device__ virtual int area() const { return size; }
};

struct Square : Shape {
  int side;
  __device__ Square(int s) : Shape(s), side(s) {}
  __device__ int area() const override { return side * side; }
};

struct Box {
  Shape* lid;
  Square square;
  int weight;
  __device__ Box() : lid(nullptr), square(3), weight(1) {}
};

struct Ticket {
  int number;
  __device__ Ticket(int n) : number(n) { printf("ticket %d\n", number); }
  __device__ Ticket(const Ticket& other) : number(other.number + 100) { printf("copy %d\n", number); }
  __device__ ~Ticket() { printf("returned %d\n", number); }
};

__device__ void assign(Shape& to, const Shape& from) { to = from; }
__device__ int areaOfCopy(Shape copy) { return copy.area(); }
__device__ Shape asShape(const Shape& shape) { return shape; }

__global__ void shapes() {
  Square square(5);
  Shape shape(7);
  assign(square, shape);  // the base part alone: a square remains one
  printf("%d %d\n", square.size, static_cast<const Shape&>(square).area());
  const Shape& seen = square;
  Shape copy = seen;  // a shape, whatever it is a copy of
  Shape other(1);
  other = seen;
  printf("%d %d %d %d\n", copy.area(), other.area(), areaOfCopy(square), asShape(seen).area());

  Box first, second;
  second.weight = 4;
  second.square = Square(9);
  first = second;
  Shape& inBox = first.square;
  printf("%d %d\n", inBox.area(), first.weight);

  Shape several[2] = {Shape(1), Shape(2)};
  several[0] = square;
  Shape* made = new Square(21);
  *made = several[1];
  printf("%d %d %d\n", several[0].area(), made->area(), made->size);
  delete static_cast<Square*>(made);
}

__global__ void captures() {
  Ticket ticket(1);
  const auto byValue = [ticket] { return ticket.number; };
  const auto byReference = [&ticket] { return ticket.number; };
  printf("%d %d\n", byValue(), byReference());
}

int main() {
  shapes<<<1, 1>>>();
  captures<<<1, 1>>>();
  const cudaError_t error = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
