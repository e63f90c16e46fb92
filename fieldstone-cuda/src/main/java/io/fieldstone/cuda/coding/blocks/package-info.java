/**
 * Keeps blocks on a GPU in the layout of their product kernel; the entry point is {@code
 * CudaResidentBlocks}. {@code StagedBlocks} collects single blocks, so that one copy transfers
 * many.
 */
@NullMarked
package io.fieldstone.cuda.coding.blocks;

import org.jspecify.annotations.NullMarked;
