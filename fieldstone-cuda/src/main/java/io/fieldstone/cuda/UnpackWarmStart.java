package io.fieldstone.cuda;

import io.fieldstone.cuda.UnpackKernel.KeyCode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;

/**
 * Has keys unpacked one by one until the JIT compiler has made vector instructions of the vector
 * kernel, which is a thousand times slower until then. A thread of its own runs it on small blocks,
 * from the first time that there is much to unpack, until it clearly wins. Thread-safe.
 */
final class UnpackWarmStart implements AutoCloseable {

  /** Fewer keys are unpacked one by one before the compiler would be done. */
  private static final long WORTHWHILE = 1 << 16;

  /** How much faster vectors must be; compiled, they are ten times. */
  private static final int CLEARLY = 2;

  private static final int ROUNDS_IN_A_ROW = 3;

  /** Calls after which the JVM compiles a method for the first time, and a few more. */
  private static final int FIRST_CALLS = 250;

  /** Rounds without a win after which the thread rests in between. */
  private static final int PATIENCE = 100_000;

  private static final long REST_NS = 100_000_000;

  private final UnpackKernel scalar = new ScalarUnpacking();
  private final UnpackKernel vectors = new VectorUnpacking();
  private boolean begun;
  private volatile boolean won;
  private volatile boolean closed;

  /** What unpacks keys now, so many. */
  UnpackKernel now(long keys) {
    if (won) {
      return vectors;
    }
    if (keys >= WORTHWHILE && VectorUnpacking.isSupported()) {
      begin();
    }
    return scalar;
  }

  private synchronized void begin() {
    if (!begun) {
      begun = true;
      Thread.ofPlatform().daemon().name("fieldstone-cuda-warm-up").start(this::warmUp);
    }
  }

  private void warmUp() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment rows = arena.allocate(2L * UnpackKernel.BLOCK_BYTES, UnpackKernel.ROW_BYTES);
      MemorySegment keys = arena.allocate(UnpackKernel.BLOCK_BYTES, UnpackKernel.ROW_BYTES);
      for (int i = 0; i < FIRST_CALLS && !closed; i++) {
        run(vectors, rows, keys, i);
      }
      int wins = 0;
      for (int round = 0; wins < ROUNDS_IN_A_ROW && !closed; round++) {
        boolean wonRound =
            nanoseconds(vectors, rows, keys, round) * CLEARLY
                < nanoseconds(scalar, rows, keys, round);
        wins = wonRound ? wins + 1 : 0;
        if (round > PATIENCE) {
          LockSupport.parkNanos(REST_NS);
        }
      }
      won = wins == ROUNDS_IN_A_ROW;
    }
  }

  private static long nanoseconds(
      UnpackKernel kernel, MemorySegment rows, MemorySegment keys, int round) {
    long start = System.nanoTime();
    run(kernel, rows, keys, round);
    return System.nanoTime() - start;
  }

  private static void run(UnpackKernel kernel, MemorySegment rows, MemorySegment keys, int round) {
    KeyCode code = new KeyCode(0, -1, Integer.MIN_VALUE);
    kernel.unpackInts(rows.address(), round % (Integer.SIZE - 1), code, keys.address());
    kernel.unpackLongs(rows.address(), round % (Long.SIZE - 1), code, keys.address());
  }

  @Override
  public void close() {
    closed = true;
  }
}
