package io.fieldstone.cuda.execution;

import io.fieldstone.cuda.driver.Context;
import io.fieldstone.cuda.driver.Function;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.cuda.driver.Module;

/**
 * A kernel with a grid-stride loop, launched with one block per unit of work up to a maximum. The
 * maximum is a small multiple of the resident blocks. Thread-safe.
 */
public final class GridStrideKernel {

  /** The dynamic shared memory that needs no {@link Function#allowSharedBytes}. */
  private static final int DEFAULT_SHARED_BYTES = 48 << 10;

  /** The maximum height of a grid in blocks. */
  private static final int MAX_GRID_Y = 65_535;

  private final Function function;
  private final int blockX;
  private final int sharedBytes;
  private final long maxBlocks;

  /**
   * @param blockX threads of a block
   * @param sharedBytes dynamic shared memory of a block
   * @param waves the maximum number of blocks per resident block: 1 if a block has a long prologue
   */
  GridStrideKernel(
      Context context, Module module, String name, int blockX, int sharedBytes, int waves) {
    this.function = module.function(name);
    this.blockX = blockX;
    this.sharedBytes = sharedBytes;
    if (sharedBytes > DEFAULT_SHARED_BYTES) {
      function.allowSharedBytes(sharedBytes);
    }
    int residentBlocks = function.blocksPerMultiprocessor(blockX, sharedBytes);
    this.maxBlocks =
        Math.max(1L, (long) residentBlocks * waves * context.device().multiprocessors());
  }

  /** Launches one thread per unit of work. */
  public void launchThreads(StreamSlot slot, long units) {
    launchBlocks(slot, Math.ceilDiv(units, blockX));
  }

  /** Launches one block per unit of work. */
  public void launchBlocks(StreamSlot slot, long units) {
    launchBlocks(slot, units, sharedBytes);
  }

  /** Launches a two-dimensional grid with one block per unit. */
  public void launchPlane(StreamSlot slot, long unitsX, long unitsY) {
    if (unitsX > 0 && unitsY > 0) {
      int width = (int) Math.min(unitsX, maxBlocks);
      int height = (int) Math.min(unitsY, MAX_GRID_Y);
      slot.launch(function, new LaunchShape(width, height, 1, blockX, sharedBytes));
    }
  }

  /** Launches one block per unit with less shared memory than the maximum. */
  public void launchBlocks(StreamSlot slot, long units, int sharedBytes) {
    if (units > 0) {
      int blocks = (int) Math.min(units, maxBlocks);
      slot.launch(function, new LaunchShape(blocks, 1, 1, blockX, sharedBytes));
    }
  }
}
