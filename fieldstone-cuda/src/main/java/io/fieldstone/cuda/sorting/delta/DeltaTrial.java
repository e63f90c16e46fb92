package io.fieldstone.cuda.sorting.delta;

import io.fieldstone.concurrent.Tiered;
import io.fieldstone.cuda.sorting.delta.DeltaKernel.KeyCode;
import io.fieldstone.engine.VectorApi;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** Decodes small blocks of both key sizes, to detect that the vector code is compiled. */
final class DeltaTrial implements Tiered.Trial<DeltaKernel> {

  /** Smaller inputs use the scalar kernel until the vector code is compiled. */
  private static final double KEYS_THRESHOLD = 1 << 16;

  /** Minimum speedup that shows compiled vector code, which is ten times faster. */
  private static final int MIN_SPEEDUP = 2;

  private static final KeyCode CODE = new KeyCode(0, -1, Integer.MIN_VALUE);

  private final MemorySegment rows =
      Arena.ofAuto().allocate(2L * DeltaKernel.BLOCK_BYTES, DeltaKernel.ROW_BYTES);
  private final MemorySegment keys =
      Arena.ofAuto().allocate(DeltaKernel.BLOCK_BYTES, DeltaKernel.ROW_BYTES);

  /** Returns the scalar kernel, and the vector kernel once it is compiled, if supported. */
  static Tiered<DeltaKernel> tiered() {
    DeltaKernel scalar = new ScalarDeltaKernel();
    boolean hasVectors = !VectorApi.isOff() && VectorApi.load() && VectorDeltaKernel.isSupported();
    DeltaKernel vectors = hasVectors ? new VectorDeltaKernel() : scalar;
    double threshold = hasVectors ? KEYS_THRESHOLD : Double.POSITIVE_INFINITY;
    return new Tiered<>(
        "one key at a time", scalar, vectors, MIN_SPEEDUP, threshold, DeltaTrial::new);
  }

  @Override
  public void callLoops(DeltaKernel kernel) {
    decode(kernel, 1);
  }

  /** Decodes blocks of every width. */
  @Override
  public void run(DeltaKernel kernel) {
    for (int width = 0; width < Integer.SIZE; width++) {
      decode(kernel, width);
    }
  }

  private void decode(DeltaKernel kernel, int width) {
    try {
      kernel.decodeInts(rows.address(), width, CODE, keys.address());
      kernel.decodeLongs(rows.address(), 2 * width, CODE, keys.address());
    } finally {
      Reference.reachabilityFence(this);
    }
  }
}
