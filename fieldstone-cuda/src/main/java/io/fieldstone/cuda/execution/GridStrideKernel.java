package io.fieldstone.cuda.execution;

import io.fieldstone.cuda.driver.Context;
import io.fieldstone.cuda.driver.Function;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.cuda.driver.Module;

/**
 * A kernel whose blocks loop over the work, so that any number of them will do: as many as there is
 * work for, at most a few times as many as the GPU runs at once. Thread-safe.
 */
public final class GridStrideKernel {

  /** Dynamic shared memory that every kernel may have unasked. */
  private static final int DEFAULT_SHARED_BYTES = 48 << 10;

  /** Blocks that a grid may have down. */
  private static final int MAX_GRID_Y = 65_535;

  private final Function function;
  private final int blockX;
  private final int sharedBytes;
  private final long maxBlocks;

  /**
   * @param blockX threads of a block
   * @param sharedBytes dynamic shared memory of a block
   * @param waves how many times over blocks may fill the GPU: 1 where each has much to prepare
   */
  GridStrideKernel(
      Context context, Module module, String name, int blockX, int sharedBytes, int waves) {
    this.function = module.function(name);
    this.blockX = blockX;
    this.sharedBytes = sharedBytes;
    if (sharedBytes > DEFAULT_SHARED_BYTES) {
      function.allowSharedBytes(sharedBytes);
    }
    int atOnce = function.blocksPerMultiprocessor(blockX, sharedBytes);
    this.maxBlocks = Math.max(1L, (long) atOnce * waves * context.device().multiprocessors());
  }

  /** Launches it for {@code units} that take a thread each. */
  public void launchThreads(StreamSlot slot, long units) {
    launchBlocks(slot, Math.ceilDiv(units, blockX));
  }

  /** Launches it for {@code units} that take a block each. */
  public void launchBlocks(StreamSlot slot, long units) {
    launchBlocks(slot, units, sharedBytes);
  }

  /** Launches it for a plane of units that take a block each. */
  public void launchPlane(StreamSlot slot, long across, long down) {
    if (across > 0 && down > 0) {
      int width = (int) Math.min(across, maxBlocks);
      int height = (int) Math.min(down, MAX_GRID_Y);
      slot.launch(function, new LaunchShape(width, height, 1, blockX, sharedBytes));
    }
  }

  /** As {@link #launchBlocks(StreamSlot, long)}, with less shared memory than it may have. */
  public void launchBlocks(StreamSlot slot, long units, int sharedBytes) {
    if (units > 0) {
      int blocks = (int) Math.min(units, maxBlocks);
      slot.launch(function, new LaunchShape(blocks, 1, 1, blockX, sharedBytes));
    }
  }
}
