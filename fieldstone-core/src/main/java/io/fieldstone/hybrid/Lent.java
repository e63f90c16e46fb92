package io.fieldstone.hybrid;

import io.fieldstone.engine.ByteMatrices;
import io.fieldstone.engine.Coefficients;
import io.fieldstone.engine.Extents;
import io.fieldstone.engine.UniformDraws;
import java.lang.foreign.MemorySegment;

/**
 * Memory of the caller, lent to the threads that work for it. A segment of a confined arena is for
 * one thread only, but that thread waits until the others are done, so they may use it too.
 */
final class Lent {

  /** Any thread but those that exist. */
  private static final Thread ANOTHER = Thread.ofPlatform().unstarted(() -> {});

  private Lent() {}

  /** The same matrices for all threads, if the calling thread may use them. */
  static ByteMatrices lend(ByteMatrices matrices) {
    return new ByteMatrices(
        lend(matrices.data()),
        matrices.count(),
        matrices.rows(),
        matrices.columns(),
        matrices.stride(),
        matrices.pitch());
  }

  /** The same coefficients for all threads. */
  static Coefficients lend(Coefficients coefficients) {
    return switch (coefficients) {
      case ByteMatrices given -> lend(given);
      case UniformDraws draws -> draws;
    };
  }

  /** The same messages for all threads. */
  static Extents lend(Extents messages) {
    return switch (messages) {
      case Extents.Equal equal -> equal;
      case Extents.Listed listed ->
          new Extents.Listed(lend(listed.offsets()), lend(listed.lengths()));
    };
  }

  /** The same memory for all threads, if the calling thread may use it. */
  static MemorySegment lend(MemorySegment data) {
    // What the caller cannot use stays as it is, and the parts refuse it.
    if (data.isAccessibleBy(ANOTHER)
        || !data.isAccessibleBy(Thread.currentThread())
        || !data.scope().isAlive()) {
      return data;
    }
    MemorySegment lent = MemorySegment.ofAddress(data.address()).reinterpret(data.byteSize());
    return data.isReadOnly() ? lent.asReadOnly() : lent;
  }
}
