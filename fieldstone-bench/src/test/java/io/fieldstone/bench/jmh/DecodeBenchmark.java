package io.fieldstone.bench.jmh;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.CodingVector;
import io.fieldstone.rlnc.Decoder;
import io.fieldstone.rlnc.Encoder;
import io.fieldstone.rlnc.GenerationShape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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

/**
 * Decodes a generation block by block, and eliminates its coding vectors alone, on one thread. An
 * operation is one arriving block. A decoder serves n operations, so its own memory counts n times
 * less than the cost of a block.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(
    value = 1,
    jvmArgs = {"--add-modules=jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"})
public class DecodeBenchmark {

  /** n blocks of k bytes: n×k. */
  @Param({"128x4096", "1024x2048", "32x4096"})
  public String shape = "";

  @Param("cpu")
  public String engine = "";

  private final Arena arena = Arena.ofShared();
  private int n;
  private GenerationShape generation;
  private Engine opened;
  private CodedBlock[] blocks;
  private MemorySegment[] vectors;
  private MemorySegment decoded;
  private Decoder decoder;
  private Basis basis;
  private int next;

  @Setup
  public void encode() {
    String[] sizes = shape.split("x");
    n = Integer.parseInt(sizes[0]);
    generation =
        new GenerationShape(Gf256.DEFAULT, new Code.Pipeline(0), n, Integer.parseInt(sizes[1]));
    opened = Engine.open(engine, new EngineOptions(1));
    opened.warmUp(Gf256.DEFAULT);
    MemorySegment source = arena.allocate(generation.bytes(), 64);
    decoded = arena.allocate(generation.bytes(), 64);
    ByteMatrices payloads =
        ByteMatrices.of(arena.allocate(generation.bytes(), 64), n, generation.blockSize());
    // Frames of the pipeline code have full rank for certain, and can be decoded in any order.
    ByteMatrices coefficients = ByteMatrices.of(arena.allocate((long) n * n, 64), n, n);
    try (Encoder encoder = new Encoder(opened, generation, 0, 1, source)) {
      encoder.coefficients(0, coefficients);
      encoder.encode(0, payloads);
    }
    blocks = new CodedBlock[n];
    vectors = new MemorySegment[n];
    for (int i = 0; i < n; i++) {
      int last = n - 1 - i; // the densest first: no frame is solved before the end
      vectors[i] = coefficients.row(0, last);
      blocks[i] = new CodedBlock(0, new CodingVector.Explicit(vectors[i]), payloads.row(0, last));
    }
    decoder = new Decoder(opened, generation, 0);
    basis = opened.eliminations().basis(Gf256.DEFAULT, n);
  }

  /** Adds one block to a decoder, which is read after the last block. */
  @Benchmark
  public boolean progressiveDecode() {
    if (next == n) {
      decoder.decode(decoded);
      decoder.close();
      decoder = new Decoder(opened, generation, 0);
      next = 0;
    }
    return decoder.add(blocks[next++]);
  }

  /** Adds one vector to a basis. */
  @Benchmark
  public int basisInsertion() {
    if (next == n) {
      basis.close();
      basis = opened.eliminations().basis(Gf256.DEFAULT, n);
      next = 0;
    }
    return basis.add(vectors[next++]);
  }

  @TearDown
  public void close() {
    decoder.close();
    basis.close();
    opened.close();
    arena.close();
  }
}
