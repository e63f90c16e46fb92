// The kernels of a level: products.c defines its parameters, see products_tiles.h, which end here.
#include "products_tiles.h"
#include "inversions.h"
#include "bases.h"

#undef STRIP_BYTES
#undef OF
#undef CONCAT
#undef CONCAT_
#undef LEVEL
#undef TARGET
#undef VECTOR_BYTES
#undef TILE_ROWS
#undef TILE_VECTORS
#undef TABLE_BYTES
#undef SOURCE_PAIRS
