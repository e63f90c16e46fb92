package io.fieldstone.cuda;

import io.fieldstone.concurrent.Tiered;
import io.fieldstone.cuda.UnpackKernel.KeyCode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** Unpacks small blocks of keys of both sizes, to see whether vectors have been compiled. */
final class UnpackTrial implements Tiered.Trial<UnpackKernel> {

  /** Fewer keys are unpacked one by one before the compiler is done with the vectors. */
  private static final double KEYS_THRESHOLD = 1 << 16;

  /** Compiled, vectors are ten times faster. */
  private static final int MIN_SPEEDUP = 2;

  private static final KeyCode CODE = new KeyCode(0, -1, Integer.MIN_VALUE);

  private final MemorySegment rows =
      Arena.ofAuto().allocate(2L * UnpackKernel.BLOCK_BYTES, UnpackKernel.ROW_BYTES);
  private final MemorySegment keys =
      Arena.ofAuto().allocate(UnpackKernel.BLOCK_BYTES, UnpackKernel.ROW_BYTES);

  /** Key by key until vectors are compiled, where vectors of this machine divide rows. */
  static Tiered<UnpackKernel> tiered() {
    UnpackKernel scalar = new ScalarUnpacking();
    UnpackKernel vectors = VectorUnpacking.isSupported() ? new VectorUnpacking() : scalar;
    double threshold = VectorUnpacking.isSupported() ? KEYS_THRESHOLD : Double.POSITIVE_INFINITY;
    return new Tiered<>(
        "one key at a time", scalar, vectors, MIN_SPEEDUP, threshold, UnpackTrial::new);
  }

  @Override
  public void callLoops(UnpackKernel kernel) {
    unpack(kernel, 1);
  }

  /** With every width of differences. */
  @Override
  public void run(UnpackKernel kernel) {
    for (int width = 0; width < Integer.SIZE; width++) {
      unpack(kernel, width);
    }
  }

  private void unpack(UnpackKernel kernel, int width) {
    try {
      kernel.unpackInts(rows.address(), width, CODE, keys.address());
      kernel.unpackLongs(rows.address(), 2 * width, CODE, keys.address());
    } finally {
      Reference.reachabilityFence(this);
    }
  }
}
