package io.fieldstone.hybrid;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.Ports;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.engine.coding.BlockMemory;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.Coefficients;
import io.fieldstone.engine.coding.Eliminations;
import io.fieldstone.engine.coding.Products;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.Sorting;
import io.fieldstone.engine.sorting.Sorts;
import io.fieldstone.field.Gf256;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A real engine under another name, to which things can happen. */
final class WatchedEngine implements Engine {

  final AtomicInteger closed = new AtomicInteger();
  final AtomicInteger productsMade = new AtomicInteger();
  final AtomicInteger basesMade = new AtomicInteger();
  final AtomicInteger hostMemoryMade = new AtomicInteger();
  final AtomicInteger sortsMade = new AtomicInteger();

  /** Runs before each product, on the thread that makes it. */
  volatile Runnable beforeProduct = () -> {};

  volatile Runnable beforeAllocate = () -> {};
  volatile Runnable afterClose = () -> {};

  /** How often each product is computed: the factor by which the engine is slower. */
  volatile int slowness = 1;

  private final String spec;
  private final Engine engine = Engine.open("cpu:scalar");
  private final Ports watched =
      Ports.of(Products.class, () -> this::multiply)
          .with(Eliminations.class, CountedEliminations::new)
          .with(BlockMemory.class, () -> this::allocateBlocks)
          .with(Sorts.class, CountedSorts::new);

  WatchedEngine(String spec) {
    this.spec = spec;
  }

  @Override
  public String spec() {
    return spec;
  }

  @Override
  public EngineKind kind() {
    return spec.startsWith("cpu") ? EngineKind.CPU : EngineKind.GPU;
  }

  @Override
  public String description() {
    return "watched";
  }

  @Override
  public <P> Optional<P> find(Class<P> port) {
    return watched.find(port).or(() -> engine.find(port));
  }

  private void multiply(
      Gf256 field, Coefficients coefficients, ByteMatrices sources, ByteMatrices products) {
    beforeProduct.run();
    for (int time = 0; time < slowness; time++) {
      engine.products().multiply(field, coefficients, sources, products);
    }
    productsMade.incrementAndGet();
  }

  private ResidentBlocks allocateBlocks(Gf256 field, long count, int rows, int columns) {
    beforeAllocate.run();
    return engine.allocate(field, count, rows, columns);
  }

  private final class CountedSorts implements Sorts {
    @Override
    public List<String> methods(RecordFormat format) {
      return engine.sorts().methods(format);
    }

    @Override
    public Sorting sorting(RecordFormat format) {
      sortsMade.incrementAndGet();
      return engine.sorts().sorting(format);
    }

    @Override
    public Sorting sorting(RecordFormat format, String method) {
      sortsMade.incrementAndGet();
      return engine.sorts().sorting(format, method);
    }
  }

  private final class CountedEliminations implements Eliminations {
    @Override
    public int[] invert(Gf256 field, ByteMatrices matrices, ByteMatrices inverses) {
      return engine.eliminations().invert(field, matrices, inverses);
    }

    @Override
    public int[] solve(
        Gf256 field, Coefficients coefficients, ByteMatrices rights, ByteMatrices solutions) {
      return engine.eliminations().solve(field, coefficients, rights, solutions);
    }

    @Override
    public Basis basis(Gf256 field, int columns) {
      basesMade.incrementAndGet();
      return engine.eliminations().basis(field, columns);
    }
  }

  @Override
  public HostMemory allocateHost(long bytes) {
    hostMemoryMade.incrementAndGet();
    return engine.allocateHost(bytes);
  }

  @Override
  public void close() {
    closed.incrementAndGet();
    engine.close();
    afterClose.run();
  }
}
