package io.fieldstone.cuda.sorting.delta;

import io.fieldstone.concurrent.Tiered;
import io.fieldstone.cuda.sorting.delta.DeltaKernel.KeyCode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** Unpacks small blocks of keys of both sizes, to see whether vectors have been compiled. */
final class DeltaTrial implements Tiered.Trial<DeltaKernel> {

  /** Fewer keys are unpacked one by one before the compiler is done with the vectors. */
  private static final double KEYS_THRESHOLD = 1 << 16;

  /** Compiled, vectors are ten times faster. */
  private static final int MIN_SPEEDUP = 2;

  private static final KeyCode CODE = new KeyCode(0, -1, Integer.MIN_VALUE);

  private final MemorySegment rows =
      Arena.ofAuto().allocate(2L * DeltaKernel.BLOCK_BYTES, DeltaKernel.ROW_BYTES);
  private final MemorySegment keys =
      Arena.ofAuto().allocate(DeltaKernel.BLOCK_BYTES, DeltaKernel.ROW_BYTES);

  /** Key by key until vectors are compiled, where vectors of this machine divide rows. */
  static Tiered<DeltaKernel> tiered() {
    DeltaKernel scalar = new ScalarDeltaKernel();
    DeltaKernel vectors = VectorDeltaKernel.isSupported() ? new VectorDeltaKernel() : scalar;
    double threshold = VectorDeltaKernel.isSupported() ? KEYS_THRESHOLD : Double.POSITIVE_INFINITY;
    return new Tiered<>(
        "one key at a time", scalar, vectors, MIN_SPEEDUP, threshold, DeltaTrial::new);
  }

  @Override
  public void callLoops(DeltaKernel kernel) {
    unpack(kernel, 1);
  }

  /** With every width of differences. */
  @Override
  public void run(DeltaKernel kernel) {
    for (int width = 0; width < Integer.SIZE; width++) {
      unpack(kernel, width);
    }
  }

  private void unpack(DeltaKernel kernel, int width) {
    try {
      kernel.unpackInts(rows.address(), width, CODE, keys.address());
      kernel.unpackLongs(rows.address(), 2 * width, CODE, keys.address());
    } finally {
      Reference.reachabilityFence(this);
    }
  }
}
