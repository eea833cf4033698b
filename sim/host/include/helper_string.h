// Command-line flags as the samples' helper_string.h reads them: --name, -name, name=value.
#pragma once
#pragma GCC system_header
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

/// The text after the name in the argument that begins with it, without its '='; nullptr if there is no such
/// argument.
inline const char* lanescopeFlag(int argc, const char** argv, const char* name) {
  const size_t length = strcspn(name, "=");
  for (int i = 1; i < argc; ++i) {
    const char* argument = argv[i];
    while (*argument == '-') ++argument;
    if (strncasecmp(argument, name, length) != 0) continue;
    if (argument[length] == '\0') return argument + length;
    if (argument[length] == '=') return argument + length + 1;
  }
  return nullptr;
}
inline bool checkCmdLineFlag(int argc, const char** argv, const char* name) {
  return lanescopeFlag(argc, argv, name) != nullptr;
}
inline int getCmdLineArgumentInt(int argc, const char** argv, const char* name) {
  const char* const value = lanescopeFlag(argc, argv, name);
  return value == nullptr ? 0 : atoi(value);
}
inline float getCmdLineArgumentFloat(int argc, const char** argv, const char* name) {
  const char* const value = lanescopeFlag(argc, argv, name);
  return value == nullptr ? 0.0f : static_cast<float>(atof(value));
}
inline bool getCmdLineArgumentString(int argc, const char** argv, const char* name, char** text) {
  const char* const value = lanescopeFlag(argc, argv, name);
  *text = const_cast<char*>(value);
  return value != nullptr;
}
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define STRCPY(to, length, from) strcpy(to, from)
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#define SSCANF sscanf
#define SPRINTF sprintf
