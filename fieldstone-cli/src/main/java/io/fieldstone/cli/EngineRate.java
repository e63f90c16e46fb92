package io.fieldstone.cli;

import io.fieldstone.engine.ByteMatrices;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.ResidentBlocks;
import io.fieldstone.field.Gf256;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/**
 * How fast an engine encodes: 128 coded blocks of a resident generation of 128×4096 bytes. A quick
 * look, so that an engine that runs far below what it should is seen; `fieldstone bench` measures.
 */
final class EngineRate {

  private static final int BLOCKS = 128;
  private static final int BLOCK_BYTES = 4096;

  /** Time until C2 has compiled the loops. */
  private static final long WARM_UP_NANOS = 500_000_000;

  private static final long MEASURED_NANOS = 150_000_000;

  private EngineRate() {}

  /** GF-MACs a nanosecond, that is G GF-MAC/s; the best of several products. */
  static double measure(Engine engine) {
    try (Arena arena = Arena.ofShared()) {
      ByteMatrices source = random(arena, BLOCKS, BLOCK_BYTES);
      ByteMatrices coefficients = random(arena, BLOCKS, BLOCKS);
      ByteMatrices products = random(arena, BLOCKS, BLOCK_BYTES);
      try (ResidentBlocks resident = engine.load(Gf256.DEFAULT, source)) {
        best(resident, coefficients, products, WARM_UP_NANOS);
        long nanos = best(resident, coefficients, products, MEASURED_NANOS);
        return (double) BLOCKS * BLOCKS * BLOCK_BYTES / nanos;
      }
    }
  }

  private static long best(
      ResidentBlocks resident, ByteMatrices coefficients, ByteMatrices products, long forNanos) {
    long best = Long.MAX_VALUE;
    long begin = System.nanoTime();
    for (long now = begin; now - begin < forNanos; ) {
      resident.multiply(0, coefficients, products);
      long done = System.nanoTime();
      best = Math.min(best, Math.max(1, done - now));
      now = done;
    }
    return best;
  }

  private static ByteMatrices random(Arena arena, int rows, int columns) {
    SplittableRandom random = new SplittableRandom(rows + columns);
    MemorySegment bytes = arena.allocate((long) rows * columns, 64);
    for (long at = 0; at < bytes.byteSize(); at += Long.BYTES) {
      bytes.set(ValueLayout.JAVA_LONG, at, random.nextLong());
    }
    return ByteMatrices.of(bytes, rows, columns);
  }
}
