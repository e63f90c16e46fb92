package io.fieldstone.bench.jmh;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.RandomCoefficients;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.field.Gf256;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Makes coded blocks from resident blocks, and from the memory of the caller, on one thread. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(
    value = 1,
    jvmArgs = {"--add-modules=jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"})
public class ProductBenchmark {

  /** m coded blocks from n blocks of k bytes: m×n×k. */
  @Param({"128x128x4096", "32x32x4096", "64x1024x2048", "1x128x4096", "64x64x1000"})
  public String shape = "";

  @Param("cpu")
  public String engine = "";

  private final Arena arena = Arena.ofShared();
  private Engine opened;
  private ResidentBlocks resident;
  private ByteMatrices coefficients;
  private ByteMatrices sources;
  private ByteMatrices products;
  private long next;

  @Setup
  public void load() {
    String[] sizes = shape.split("x");
    int m = Integer.parseInt(sizes[0]);
    int n = Integer.parseInt(sizes[1]);
    int k = Integer.parseInt(sizes[2]);
    opened = Engine.open(engine, new EngineOptions(1));
    opened.warmUp(Gf256.DEFAULT);
    coefficients = ByteMatrices.of(random((long) m * n), m, n);
    sources = ByteMatrices.of(random((long) n * k), n, k);
    products = ByteMatrices.of(random((long) m * k), m, k);
    resident = opened.load(Gf256.DEFAULT, sources);
  }

  private MemorySegment random(long bytes) {
    SplittableRandom random = new SplittableRandom(bytes);
    MemorySegment memory = arena.allocate(bytes, 64);
    for (long at = 0; at < bytes; at++) {
      memory.set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt());
    }
    return memory;
  }

  @Benchmark
  public void resident() {
    resident.multiply(0, coefficients, products);
  }

  /** Multiplies by coefficients that the engine draws anew each time. */
  @Benchmark
  public void drawn() {
    next = (next + products.rows()) % Integer.MAX_VALUE;
    RandomCoefficients draws =
        new RandomCoefficients(1, 0, 0, next, 1, products.rows(), sources.rows());
    resident.multiply(0, draws, products);
  }

  @Benchmark
  public void inPlace() {
    opened.products().multiply(Gf256.DEFAULT, coefficients, sources, products);
  }

  @TearDown
  public void close() {
    resident.close();
    opened.close();
    arena.close();
  }
}
