package io.fieldstone.hybrid;

import io.fieldstone.engine.Ceiling;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.checksums.Checksums;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.Coefficients;
import io.fieldstone.engine.coding.Eliminations;
import io.fieldstone.engine.coding.Products;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.coding.Substitutions;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.engine.memory.ResidentBytes;
import io.fieldstone.engine.sorting.Sorts;
import io.fieldstone.engine.stars.Stars;
import io.fieldstone.engine.weights.PairCounts;
import io.fieldstone.engine.weights.WeightCounts;
import io.fieldstone.engine.weights.WeightTransforms;
import io.fieldstone.field.Gf256;
import java.util.List;
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
  public Products products() {
    return (field, coefficients, sources, products) -> {
      beforeProduct.run();
      for (int time = 0; time < slowness; time++) {
        engine.products().multiply(field, coefficients, sources, products);
      }
      productsMade.incrementAndGet();
    };
  }

  @Override
  public Eliminations eliminations() {
    return new Eliminations() {
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
    };
  }

  @Override
  public Substitutions substitutions() {
    return engine.substitutions();
  }

  @Override
  public WeightCounts weightCounts() {
    return engine.weightCounts();
  }

  @Override
  public PairCounts pairCounts() {
    return engine.pairCounts();
  }

  @Override
  public WeightTransforms weightTransforms() {
    return engine.weightTransforms();
  }

  @Override
  public Checksums checksums() {
    return engine.checksums();
  }

  @Override
  public Sorts sorts() {
    sortsMade.incrementAndGet();
    return engine.sorts();
  }

  @Override
  public Stars stars() {
    return engine.stars();
  }

  @Override
  public ResidentBytes allocateBytes(long bytes) {
    return engine.allocateBytes(bytes);
  }

  @Override
  public ResidentBlocks allocate(Gf256 field, long count, int rows, int columns) {
    beforeAllocate.run();
    return engine.allocate(field, count, rows, columns);
  }

  @Override
  public HostMemory allocateHost(long bytes) {
    hostMemoryMade.incrementAndGet();
    return engine.allocateHost(bytes);
  }

  @Override
  public List<Ceiling> ceilings() {
    return List.of(new Ceiling("bus, up", 54, "GB/s"));
  }

  @Override
  public void close() {
    closed.incrementAndGet();
    engine.close();
    afterClose.run();
  }
}
