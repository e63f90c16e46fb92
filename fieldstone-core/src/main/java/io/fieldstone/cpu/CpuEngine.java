package io.fieldstone.cpu;

import io.fieldstone.engine.Eliminations;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Products;
import io.fieldstone.engine.ResidentBlocks;
import io.fieldstone.field.Gf256;

/** The cores of this machine with one kind of kernel. */
final class CpuEngine implements Engine {

  private final CpuVariant variant;
  private final Workers workers;
  private final Kernels kernels;
  private final ScratchPool scratchPool = new ScratchPool();
  private final CpuProducts products;
  private final CpuEliminations eliminations;
  private final CpuSystems systems;

  CpuEngine(CpuVariant variant, int threads) {
    this.variant = variant;
    this.workers = new Workers(threads);
    this.kernels = new Kernels(variant.kernels());
    Drawing drawing = new Drawing(workers);
    this.products = new CpuProducts(kernels, workers, drawing, scratchPool);
    this.eliminations = new CpuEliminations(variant.bases().apply(kernels), workers);
    this.systems = new CpuSystems(eliminations, products, drawing, scratchPool);
  }

  @Override
  public String spec() {
    return variant.spec();
  }

  @Override
  public String description() {
    int threads = workers.threads();
    return variant.description() + ", " + threads + (threads == 1 ? " thread" : " threads");
  }

  @Override
  public Products products() {
    return products;
  }

  @Override
  public Eliminations eliminations() {
    return eliminations;
  }

  /** What solves square systems of resident blocks. */
  CpuSystems systems() {
    return systems;
  }

  @Override
  public ResidentBlocks allocate(Gf256 field, long count, int rows, int columns) {
    return new CpuResidentBlocks(this, field, count, rows, columns);
  }

  @Override
  public void warmUp(Gf256 field) {
    kernels.forField(field).awaitFullSpeed();
  }

  @Override
  public void close() {
    kernels.close();
    workers.close();
    scratchPool.close();
  }
}
