package io.fieldstone.cli;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.BlockMemory;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.field.Gf256;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Estimates the encoding rate of an engine: 128 coded blocks from a resident generation of 128×4096
 * bytes. The estimate is quick and reveals a misconfigured engine; {@code fieldstone bench}
 * measures precisely.
 *
 * <p>The engines take turns during warm-up, so that C2 compiles the loops of one engine while
 * another runs.
 */
final class EngineRate implements AutoCloseable {

  private static final int BLOCKS = 128;
  private static final int BLOCK_BYTES = 4096;

  /** C2 needs both wall-clock time and, on a busy machine, processor time. */
  private static final long MIN_WARM_UP_NS = 2_000_000_000L;

  private static final Duration MIN_WARM_UP_CPU_TIME = Duration.ofSeconds(6);
  private static final long MAX_WARM_UP_NS = 15_000_000_000L;

  private static final long TURN_NS = 100_000_000;

  private final Arena arena = Arena.ofShared();
  private final ByteMatrices coefficients = random(BLOCKS, BLOCKS);
  private final ByteMatrices products = random(BLOCKS, BLOCK_BYTES);
  private final ResidentBlocks resident;

  private EngineRate(Engine engine) {
    resident = engine.load(Gf256.DEFAULT, random(BLOCKS, BLOCK_BYTES));
  }

  /**
   * Returns the rate of each engine by its name, in G GF-MAC/s: the best of several products. An
   * engine that multiplies no resident blocks has none.
   */
  static Map<String, Double> measure(Collection<Engine> engines) {
    Map<String, EngineRate> rates = new LinkedHashMap<>();
    try {
      for (Engine engine : engines) {
        if (engine.find(BlockMemory.class).isPresent()) {
          engine.warmUp(Gf256.DEFAULT);
          rates.put(engine.spec(), new EngineRate(engine));
        }
      }
      long begin = System.nanoTime();
      while (!rates.isEmpty() && !isWarm(System.nanoTime() - begin)) {
        rates.values().forEach(EngineRate::takeTurn);
      }
      Map<String, Double> measured = new HashMap<>();
      rates.forEach((spec, rate) -> measured.put(spec, rate.takeTurn()));
      return measured;
    } finally {
      rates.values().forEach(EngineRate::close);
    }
  }

  private static boolean isWarm(long elapsedNs) {
    Duration cpuTime =
        ProcessHandle.current().info().totalCpuDuration().orElse(MIN_WARM_UP_CPU_TIME);
    return elapsedNs >= MAX_WARM_UP_NS
        || (elapsedNs >= MIN_WARM_UP_NS && cpuTime.compareTo(MIN_WARM_UP_CPU_TIME) >= 0);
  }

  /** Multiplies for one turn; returns the GF-MACs per nanosecond of the fastest product. */
  private double takeTurn() {
    long best = Long.MAX_VALUE;
    long begin = System.nanoTime();
    for (long now = begin; now - begin < TURN_NS; ) {
      resident.multiply(0, coefficients, products);
      long done = System.nanoTime();
      best = Math.min(best, Math.max(1, done - now));
      now = done;
    }
    return (double) BLOCKS * BLOCKS * BLOCK_BYTES / best;
  }

  private ByteMatrices random(int rows, int columns) {
    SplittableRandom random = new SplittableRandom(rows + columns);
    MemorySegment bytes = arena.allocate((long) rows * columns, 64);
    for (long at = 0; at < bytes.byteSize(); at += Long.BYTES) {
      bytes.set(ValueLayout.JAVA_LONG, at, random.nextLong());
    }
    return ByteMatrices.of(bytes, rows, columns);
  }

  @Override
  public void close() {
    resident.close();
    arena.close();
  }
}
