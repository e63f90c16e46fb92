package io.fieldstone.conformance;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.sorting.Sorts;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Calls the ports of an engine while another thread writes or closes their memory. Each call must
 * return or throw a {@link RuntimeException}. Its result may be wrong, but it must not access
 * memory other than its own. An engine that violates this may crash the process, so this check is
 * separate from {@link Conformance}:
 *
 * <pre>
 * java -cp CLASSPATH io.fieldstone.conformance.MemoryRaces ENGINE SECONDS [THREADS]
 * </pre>
 */
public final class MemoryRaces {

  private static final int THREADS = 3;

  /** Enough records for several threads, in buckets larger than a run. */
  private static final int MANY_RECORDS = 600_000;

  /** The number of keys of the final check of the engine. */
  private static final int KEYS = 10_000;

  private final Engine engine;
  private final SplittableRandom random;
  private int returned;
  private int rejected;

  private MemoryRaces(Engine engine, long seed) {
    this.engine = engine;
    this.random = new SplittableRandom(seed);
  }

  /**
   * Races with the calls of an engine.
   *
   * @param arguments the engine, the time in seconds, and the number of threads (default 3)
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
   * Races with the calls of an engine.
   *
   * @param engine the engine, which is not closed
   * @param seed the seed of the calls; results also depend on the timing of threads
   * @return a summary with the numbers of calls that returned and threw
   * @throws IllegalStateException if a call wrote outside its memory, or the engine sorts wrongly
   *     afterwards
   */
  public static String run(Engine engine, long seed, Duration time) {
    return run(engine, seed, time, MANY_RECORDS);
  }

  /**
   * Races with the calls of an engine, with a limit on the sizes of sorts.
   *
   * @param maxRecords the maximum number of records per sort, large enough for all methods
   */
  public static String run(Engine engine, long seed, Duration time, int maxRecords) {
    MemoryRaces races = new MemoryRaces(engine, seed);
    List<RacedCalls.Call> calls = new RacedCalls(engine, races.random, maxRecords).all();
    long end = System.nanoTime() + time.toNanos();
    do {
      for (RacedCalls.Call call : calls) {
        races.run(call, new Writing());
        races.run(call, new Closing());
      }
    } while (System.nanoTime() < end);
    if (engine.find(Sorts.class).isPresent()) {
      races.requireSound();
    }
    return "%s: %d calls returned, %d threw"
        .formatted(engine.spec(), races.returned, races.rejected);
  }

  private void run(RacedCalls.Call call, Race race) {
    try (RacedMemory memory = race.memory()) {
      Runnable work = call.prepare(memory);
      Thread other = Thread.ofPlatform().start(() -> race.run(memory));
      try {
        if (random.nextBoolean()) {
          race.awaitChanged();
        }
        work.run();
        returned++;
      } catch (RuntimeException expected) {
        rejected++;
      } finally {
        race.end();
        join(other);
        // The JDK may leave a thread interrupted when another thread closes its memory.
        Thread.interrupted();
      }
      memory.requireMarginsIntact();
    }
  }

  /** Waits until a thread has ended, also if the calling thread is interrupted. */
  static void join(Thread thread) {
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

  /** Checks that the engine still sorts correctly without a race. */
  private void requireSound() {
    int[] keys = random.ints(KEYS).toArray();
    int[] sorted = keys.clone();
    Arrays.sort(sorted);
    RacedCalls.sort(engine, MemorySegment.ofArray(keys));
    if (!Arrays.equals(keys, sorted)) {
      throw new IllegalStateException("engine " + engine.spec() + " no longer sorts correctly");
    }
  }

  /** The action of another thread during a call. */
  private abstract static sealed class Race permits Writing, Closing {
    private volatile boolean isChanged;
    private volatile boolean isOver;

    /** Allocates memory of the kind that this action needs. */
    abstract RacedMemory memory();

    /** Writes or closes the memory until {@link #end}. */
    abstract void run(RacedMemory memory);

    final boolean isOver() {
      return isOver;
    }

    /** Lets calls begin that wait for a change of the memory. */
    final void signalChanged() {
      isChanged = true;
    }

    /** Waits until all memory has been written once, or will be closed. */
    final void awaitChanged() {
      while (!isChanged) {
        Thread.onSpinWait();
      }
    }

    final void end() {
      isOver = true;
    }
  }

  /** Overwrites the memory repeatedly. */
  private static final class Writing extends Race {

    /** The number of bytes per write. */
    private static final int PIECE_BYTES = 4096;

    @Override
    RacedMemory memory() {
      return RacedMemory.plain();
    }

    @Override
    void run(RacedMemory memory) {
      SplittableRandom random = new SplittableRandom();
      byte[] noise = new byte[PIECE_BYTES];
      while (!isOver()) {
        for (MemorySegment each : memory.segments()) {
          random.nextBytes(noise);
          if (random.nextBoolean()) {
            Arrays.fill(noise, (byte) random.nextInt());
          }
          MemorySegment piece = MemorySegment.ofArray(noise);
          for (long at = 0; at < each.byteSize() && !isOver(); at += PIECE_BYTES) {
            long bytes = Math.min(PIECE_BYTES, each.byteSize() - at);
            MemorySegment.copy(piece, 0, each, at, bytes);
          }
        }
        signalChanged();
      }
    }
  }

  /** Closes the memory as soon as possible after a random delay. */
  private static final class Closing extends Race {

    @Override
    RacedMemory memory() {
      return RacedMemory.mapped();
    }

    @Override
    void run(RacedMemory memory) {
      signalChanged();
      // Waits for a random time after the call begins.
      long start = System.nanoTime();
      long waitNs = new SplittableRandom().nextLong(1L << new SplittableRandom().nextInt(1, 22));
      while (System.nanoTime() - start < waitNs && !isOver()) {
        Thread.onSpinWait();
      }
      while (!memory.tryClose() && !isOver()) {
        Thread.onSpinWait();
      }
    }
  }
}
