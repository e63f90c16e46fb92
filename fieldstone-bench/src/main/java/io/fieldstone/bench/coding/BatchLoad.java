package io.fieldstone.bench.coding;

import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Closer;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.Coefficients;
import io.fieldstone.engine.coding.RandomCoefficients;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Multiplies many generations in one call on one engine, between device and host memory. Each
 * candidate runs once, and some of its bytes are compared with products of the field, before it is
 * measured. Host memory is allocated by the engine.
 */
public final class BatchLoad implements AutoCloseable {

  private static final Gf256 FIELD = Gf256.DEFAULT;
  private static final long SEED = 0x5EED;

  private final Engine engine;
  private final Batch batch;
  private final Segments segments;
  private final Closer closer = new Closer();

  public BatchLoad(Engine engine, Batch batch) {
    this.engine = engine;
    this.batch = batch;
    this.segments = closer.register(new Segments(engine, batch));
  }

  /** Returns random coefficients that the engine draws from a seed. */
  public RandomCoefficients drawn() {
    return new RandomCoefficients(SEED, 0, 0, 0, batch.count(), batch.m(), batch.n());
  }

  /** Writes the same coefficients to host memory. */
  public ByteMatrices given() {
    ByteMatrices memory = host(batch.m(), batch.n());
    drawn().write(memory);
    return memory;
  }

  /** Writes coefficients 0xff to host memory, the slowest case of a loop multiplication. */
  public ByteMatrices allOnes() {
    ByteMatrices memory = host(batch.m(), batch.n());
    memory.data().fill((byte) 0xFF);
    return memory;
  }

  /** Multiplies resident blocks into resident blocks. */
  public Candidate resident(String name, Coefficients coefficients) {
    ResidentBlocks products =
        closer.register(engine.allocate(FIELD, batch.count(), batch.m(), batch.k()));
    return verified(
        name,
        coefficients,
        () -> segments.resident().multiply(0, coefficients, products, 0),
        products::read);
  }

  /** Multiplies resident blocks into host memory. */
  public Candidate toHost(String name, Coefficients coefficients) {
    ByteMatrices products = host(batch.m(), batch.k());
    return verified(
        name,
        coefficients,
        () -> segments.resident().multiply(0, coefficients, products),
        (g, row, target) -> target.copyFrom(products.row(g, row)));
  }

  /** Multiplies blocks in host memory into host memory. */
  public Candidate hostToHost(String name, Coefficients coefficients) {
    ByteMatrices sources = host(batch.n(), batch.k());
    segments.writeTo(sources);
    ByteMatrices products = host(batch.m(), batch.k());
    return verified(
        name,
        coefficients,
        () -> engine.products().multiply(FIELD, coefficients, sources, products),
        (g, row, target) -> target.copyFrom(products.row(g, row)));
  }

  private ByteMatrices host(int rows, int columns) {
    HostMemory memory = closer.register(engine.allocateHost(batch.count() * rows * columns));
    return ByteMatrices.packed(memory.segment(), batch.count(), rows, columns);
  }

  /** Reads a product. */
  private interface Products {
    void read(long generation, int row, MemorySegment target);
  }

  private Candidate verified(
      String name, Coefficients coefficients, Runnable body, Products products) {
    body.run();
    MemorySegment block = MemorySegment.ofArray(new byte[batch.k()]);
    byte[] vector = new byte[batch.n()];
    for (long g : new long[] {0, batch.count() - 1}) {
      for (int row : new int[] {0, batch.m() - 1}) {
        vector(coefficients, g, row, MemorySegment.ofArray(vector));
        products.read(g, row, block);
        for (int column : new int[] {0, batch.k() / 2, batch.k() - 1}) {
          int actual = block.get(ValueLayout.JAVA_BYTE, column) & 0xFF;
          int expected = product(vector, g, column);
          if (actual != expected) {
            throw new IllegalStateException(
                "%s, %s: wrong product at generation %d, block %d, byte %d: %d instead of %d"
                    .formatted(engine.spec(), name, g, row, column, actual, expected));
          }
        }
      }
    }
    return new Candidate(name, batch.work(), body);
  }

  private int product(byte[] vector, long generation, int column) {
    int sum = 0;
    for (int i = 0; i < vector.length; i++) {
      sum ^= FIELD.multiply(vector[i] & 0xFF, segments.byteAt(generation, i, column));
    }
    return sum;
  }

  private static void vector(
      Coefficients coefficients, long generation, int row, MemorySegment target) {
    switch (coefficients) {
      case ByteMatrices given -> target.copyFrom(given.row(generation, row));
      case RandomCoefficients draws ->
          draws
              .matrices(generation, 1)
              .rows(row, 1)
              .write(ByteMatrices.of(target, 1, draws.columns()));
    }
  }

  @Override
  public void close() {
    closer.close();
  }
}
