package io.fieldstone.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineStatus;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.Coefficients;
import io.fieldstone.engine.coding.RandomCoefficients;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * Computes large products on one engine and compares them with those of the oracle, including all
 * bytes of the destination between and around its rows.
 */
public final class RandomProducts implements AutoCloseable {

  /** Zeros at the end of the memory that is allocated must not be missed. */
  private static final int MARGIN = 100;

  private final SplittableRandom random = new SplittableRandom(7);
  private final Engine engine;
  private final Engine oracle = Engine.open("cpu:scalar");
  private final List<HostMemory> memories = new ArrayList<>();
  private final boolean pinned;

  /**
   * @param pinned whether operands are in pinned memory
   */
  public RandomProducts(Engine engine, boolean pinned) {
    this.engine = engine;
    this.pinned = pinned;
  }

  /** Checks a product of each engine, opened by its name. */
  public static void checkEach(List<EngineStatus> engines, Function<String, Engine> opener) {
    for (EngineStatus status : engines) {
      try (Engine engine = opener.apply(status.spec());
          RandomProducts products = new RandomProducts(engine, false)) {
        products.checkResident(
            products.draws(2, 70, 9),
            products.matrices(2, 9, 50, 0, 0),
            products.matrices(2, 70, 50, 0, 0));
      }
    }
  }

  /** Random bytes, with gaps between rows and matrices. */
  public ByteMatrices matrices(long count, int rows, int columns, int rowGap, int matrixGap) {
    long stride = columns + rowGap;
    long pitch = rows * stride + matrixGap;
    long bytes = count * pitch + 2 * MARGIN;
    HostMemory memory = (pinned ? engine : oracle).allocateHost(bytes);
    memories.add(memory);
    byte[] content = new byte[Math.toIntExact(bytes)];
    random.nextBytes(content);
    MemorySegment.copy(content, 0, memory.segment(), ValueLayout.JAVA_BYTE, 0, content.length);
    return new ByteMatrices(
        memory.segment().asSlice(MARGIN, count * pitch), count, rows, columns, stride, pitch);
  }

  /** Coefficients that the engine draws. */
  public RandomCoefficients draws(long count, int rows, int columns) {
    return new RandomCoefficients(random.nextLong(), 3, 17, 5, count, rows, columns);
  }

  /** From host memory to host memory. */
  void check(Coefficients coefficients, ByteMatrices sources, ByteMatrices products) {
    ByteMatrices expected = copy(products);
    oracle.products().multiply(Gf256.DEFAULT, coefficients, sources, expected);
    engine.products().multiply(Gf256.DEFAULT, coefficients, sources, products);
    assertSame(expected, products);
  }

  /** Systems from host memory to host memory; returns their ranks. */
  int[] checkSolutions(Coefficients coefficients, ByteMatrices rights, ByteMatrices solutions) {
    ByteMatrices expected = copy(solutions);
    int[] ranks = oracle.eliminations().solve(Gf256.DEFAULT, coefficients, rights, expected);
    assertThat(engine.eliminations().solve(Gf256.DEFAULT, coefficients, rights, solutions))
        .isEqualTo(ranks);
    assertSame(expected, solutions);
    return ranks;
  }

  /** From resident blocks to host memory, straight and by way of the engine's memory. */
  public void checkResident(
      Coefficients coefficients, ByteMatrices sources, ByteMatrices products) {
    ByteMatrices expected = copy(products);
    oracle.products().multiply(Gf256.DEFAULT, coefficients, sources, expected);
    try (ResidentBlocks blocks = engine.load(Gf256.DEFAULT, sources);
        ResidentBlocks staying =
            engine.allocate(Gf256.DEFAULT, products.count(), products.rows(), products.columns())) {
      ByteMatrices read = copy(products);
      blocks.multiply(0, coefficients, products);
      assertSame(expected, products);
      blocks.multiply(0, coefficients, staying, 0);
      staying.read(0, read);
      assertSame(expected, read);
    }
  }

  private ByteMatrices copy(ByteMatrices matrices) {
    MemorySegment copy = MemorySegment.ofArray(matrices.data().toArray(ValueLayout.JAVA_BYTE));
    return new ByteMatrices(
        copy,
        matrices.count(),
        matrices.rows(),
        matrices.columns(),
        matrices.stride(),
        matrices.pitch());
  }

  private static void assertSame(ByteMatrices expected, ByteMatrices actual) {
    assertThat(actual.data().mismatch(expected.data())).isEqualTo(-1);
  }

  @Override
  public void close() {
    memories.forEach(HostMemory::close);
    oracle.close();
  }
}
