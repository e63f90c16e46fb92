package io.fieldstone.conformance;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Calls of all ports beside a thread that writes their memory, or closes it. Each call has to
 * return, or to throw a {@link RuntimeException}: a wrong result is the caller's own doing, but no
 * memory other than that of the call may be written or read. An engine that fails ends the process,
 * or this throws. So it is no part of {@link Conformance}, and has a process of its own:
 *
 * <pre>
 * java -cp CLASSPATH io.fieldstone.conformance.Disturbances ENGINE SECONDS [THREADS]
 * </pre>
 */
public final class Disturbances {

  private static final int THREADS = 3;

  /** Records that several threads sort, in buckets larger than a run. */
  private static final int MANY_RECORDS = 600_000;

  /** Keys that are sorted to see whether the engine still works. */
  private static final int KEYS = 10_000;

  private final Engine engine;
  private final SplittableRandom random;
  private int returned;
  private int refused;

  private Disturbances(Engine engine, long seed) {
    this.engine = engine;
    this.random = new SplittableRandom(seed);
  }

  /**
   * Disturbs an engine.
   *
   * @param arguments the engine's name, how many seconds, and by how many threads it works (3)
   */
  public static void main(String... arguments) {
    if (arguments.length < 2 || arguments.length > 3) {
      throw new IllegalArgumentException("ENGINE SECONDS [THREADS], not " + List.of(arguments));
    }
    int threads = arguments.length == 3 ? Integer.parseInt(arguments[2]) : THREADS;
    Duration time = Duration.ofMillis((long) (1000 * Double.parseDouble(arguments[1])));
    try (Engine engine = Engine.open(arguments[0], new EngineOptions(threads))) {
      System.out.println(run(engine, System.nanoTime(), time));
    }
  }

  /**
   * Disturbs an engine.
   *
   * @param engine stays the caller's
   * @param seed of what is called; what happens then also depends on when threads run
   * @return how many calls returned, and how many threw
   * @throws IllegalStateException if memory beside that of a call was written, or the engine gives
   *     wrong results afterwards
   */
  public static String run(Engine engine, long seed, Duration time) {
    return run(engine, seed, time, MANY_RECORDS);
  }

  /**
   * As {@link #run(Engine, long, Duration)}.
   *
   * @param mostRecords that are sorted by a call: enough for all ways that the engine has
   */
  public static String run(Engine engine, long seed, Duration time, int mostRecords) {
    Disturbances disturbances = new Disturbances(engine, seed);
    List<DisturbedCalls.Call> calls =
        new DisturbedCalls(engine, disturbances.random, mostRecords).all();
    long end = System.nanoTime() + time.toNanos();
    do {
      for (DisturbedCalls.Call call : calls) {
        disturbances.run(call, new Writing());
        disturbances.run(call, new Closing());
      }
    } while (System.nanoTime() < end);
    disturbances.requireSound();
    return "%s: %d calls returned, %d threw"
        .formatted(engine.spec(), disturbances.returned, disturbances.refused);
  }

  private void run(DisturbedCalls.Call call, Disturbance disturbance) {
    try (DisturbedMemory memory = disturbance.memory()) {
      Runnable work = call.prepare(memory);
      Thread other = Thread.ofPlatform().start(() -> disturbance.disturb(memory));
      try {
        work.run();
        returned++;
      } catch (RuntimeException expected) {
        refused++;
      } finally {
        disturbance.end();
        join(other);
        // The JDK interrupts a thread that it stops at memory which another thread has closed.
        Thread.interrupted();
      }
      memory.requireMarginsIntact();
    }
  }

  private static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether the engine still does what it should when it is left alone. */
  private void requireSound() {
    int[] keys = random.ints(KEYS).toArray();
    int[] sorted = keys.clone();
    Arrays.sort(sorted);
    DisturbedCalls.sort(engine, MemorySegment.ofArray(keys));
    if (!Arrays.equals(keys, sorted)) {
      throw new IllegalStateException("engine " + engine.spec() + " does not sort any more");
    }
  }

  /** What another thread does during a call. */
  private abstract static sealed class Disturbance permits Writing, Closing {
    private volatile boolean isOver;

    /** Memory of the kind that is disturbed. */
    abstract DisturbedMemory memory();

    /** Disturbs until {@link #end}. */
    abstract void disturb(DisturbedMemory memory);

    final boolean isOver() {
      return isOver;
    }

    final void end() {
      isOver = true;
    }
  }

  /** Writes the memory again and again. */
  private static final class Writing extends Disturbance {

    /** Bytes that are written at a time, and that are skipped now and then. */
    private static final int PIECE = 4096;

    @Override
    DisturbedMemory memory() {
      return DisturbedMemory.plain();
    }

    @Override
    void disturb(DisturbedMemory memory) {
      SplittableRandom random = new SplittableRandom();
      byte[] noise = new byte[PIECE];
      while (!isOver()) {
        for (MemorySegment each : memory.segments()) {
          random.nextBytes(noise);
          if (random.nextBoolean()) {
            Arrays.fill(noise, (byte) random.nextInt());
          }
          MemorySegment piece = MemorySegment.ofArray(noise);
          for (long at = 0; at < each.byteSize() && !isOver(); at += PIECE) {
            long bytes = Math.min(PIECE, each.byteSize() - at);
            MemorySegment.copy(piece, 0, each, at, bytes);
          }
        }
      }
    }
  }

  /** Closes the memory as soon as that is possible. */
  private static final class Closing extends Disturbance {

    @Override
    DisturbedMemory memory() {
      return DisturbedMemory.mapped();
    }

    @Override
    void disturb(DisturbedMemory memory) {
      // A moment later than the call begins, which is another moment each time.
      long start = System.nanoTime();
      long wait = new SplittableRandom().nextLong(1L << new SplittableRandom().nextInt(1, 22));
      while (System.nanoTime() - start < wait && !isOver()) {
        Thread.onSpinWait();
      }
      while (!memory.tryClose() && !isOver()) {
        Thread.onSpinWait();
      }
    }
  }
}
