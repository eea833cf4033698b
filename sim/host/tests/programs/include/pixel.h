#pragma once
#define LIMIT 255
typedef struct {
  unsigned char r, g, b;
} Pixel;
