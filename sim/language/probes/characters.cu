// --- literals: escapes, several characters, prefixes
__global__ void k(int* out) {
  out[0] = '\xfe';
  out[1] = '\377';
  out[2] = '\x80' < 0;
  out[3] = 'ab';
  out[4] = 'abcd';
  out[5] = L'a';
  out[6] = L'\xff';
  out[7] = u'\xffff';
  out[8] = (int)U'\x10ffff';
  out[9] = '\0';
  out[10] = '\\';
  out[11] = '\'';
  out[12] = '"';
  out[13] = '\?';
  out[14] = '\a' * 100 + '\b';
  out[15] = '\v';
  out[16] = '\f';
  out[17] = '\101';
  out[18] = sizeof('a') + 10 * sizeof('ab') + 100 * sizeof(L'a');
  unsigned char u = '\xfe';
  out[19] = u;
  char c = 200;
  out[20] = c;
  out[21] = c == '\xc8';
  out[22] = c == 200;
  out[23] = u8'a';
  out[24] = U'\u00e9';
  out[25] = (unsigned)'\xfe' > 5u;
  switch ('\xff') {
    case -1: out[26] = 1; break;
    default: out[26] = 2;
  }
}

// --- above_127: char is signed
__device__ int f(char) { return 1; }
__device__ int f(int) { return 2; }
__device__ int f(signed char) { return 3; }
__global__ void k(int* out) {
  out[0] = f('a') * 10 + f('ab');
  char c = '\xff';
  out[1] = c;
  out[2] = c >> 1;
  out[3] = c < 'a';
  out[4] = (unsigned char)c;
  out[5] = c == 255;
  out[6] = '\x80' + 0u > 1000u;
  const char* s = "\x80\xff";
  out[7] = s[0] * 1000 + s[1];
  out[8] = s[1] == '\xff';
  int t[4] = {'\xfe', '\x7f', '\200', '\1'};
  out[9] = t[0] * 1000 + t[2];
  constexpr char cc = '\xf0';
  out[10] = cc;
  switch (c) {
    case '\xff': out[11] = 1; break;
    case 255: out[11] = 2; break;
  }
  unsigned u = '\xfe';
  out[12] = u == 0xfffffffe;
  long l = '\xfe';
  out[13] = l < 0;
  out[14] = '\0' == 0;
  out[15] = 'a' - 'A';
  out[16] = '0' + 9;
  out[17] = (char)0xe9 == '\xe9';
  out[18] = L'\xe9' > 0;
  out[19] = '\xfe' * '\xfe';
}
