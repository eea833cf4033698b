int sumOf(int a, int b) {
  int class = a + b; /* C, not C++ */
  return class;
}
