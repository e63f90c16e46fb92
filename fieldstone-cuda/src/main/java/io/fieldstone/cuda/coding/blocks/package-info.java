/**
 * Blocks that stay on a GPU, in the layout of their product kernel: begin with {@code
 * CudaResidentBlocks}. {@code StagedBlocks} collects single blocks until a transfer is worth its
 * latency.
 */
@NullMarked
package io.fieldstone.cuda.coding.blocks;

import org.jspecify.annotations.NullMarked;
