// The types of the kernels; a freestanding compiler has these two headers.
#include <stddef.h>
#include <stdint.h>
