// The samples' helper_functions.h: the other helpers, and comparisons of results.
#pragma once
#pragma GCC system_header
#include <math.h>
#include <stdio.h>

#include "helper_string.h"
#include "helper_timer.h"

#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

/// True if all but a share `threshold` of the values differ by at most epsilon.
template <class T, class S>
inline bool compareData(const T* reference, const T* data, const unsigned int count, const S epsilon,
                        const float threshold) {
  unsigned int different = 0;
  for (unsigned int i = 0; i < count; ++i) {
    const double difference = static_cast<double>(reference[i]) - static_cast<double>(data[i]);
    if (!(difference <= epsilon && difference >= -epsilon)) ++different;
  }
  return threshold == 0.0f ? different == 0
                           : static_cast<float>(different) <= threshold * static_cast<float>(count);
}
/// True if the difference's length is at most epsilon of the reference's.
inline bool sdkCompareL2fe(const float* reference, const float* data, const unsigned int count,
                           const float epsilon) {
  float error = 0, length = 0;
  for (unsigned int i = 0; i < count; ++i) {
    error += (reference[i] - data[i]) * (reference[i] - data[i]);
    length += reference[i] * reference[i];
  }
  return fabsf(length) >= 1e-7f && sqrtf(error) / sqrtf(length) < epsilon;
}
inline bool sdkDumpBin(void*, unsigned int, const char*) { return true; }
/// No file of the samples is here.
inline char* sdkFindFilePath(const char*, const char*) { return nullptr; }
