// The samples' helper_functions.h: the other helpers.
#pragma once
#pragma GCC system_header
#include "helper_string.h"
#include "helper_timer.h"
