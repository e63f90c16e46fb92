package io.fieldstone.papers.cuda;

import io.fieldstone.cuda.FakeGpu;
import io.fieldstone.cuda.driver.FakeDriver;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.memory.PhaseListener;
import io.fieldstone.papers.cuda.sorting.FakeRadixKernels;
import io.fieldstone.papers.cuda.stars.FakeCellKernels;

/** A driver in pure Java with a GPU, its kernels and those of papers. */
public final class PaperGpu implements AutoCloseable {

  private final FakeGpu gpu;

  public PaperGpu() {
    this(new FakeGpu());
  }

  private PaperGpu(FakeGpu gpu) {
    this.gpu = gpu;
    FakeRadixKernels.register(
        FakeCellKernels.register(
            FakeHpdsKernels.register(FakeNucleiKernels.register(gpu.driver()))));
  }

  /** Returns a GPU that runs work only when a thread waits for it, which reveals missing waits. */
  public static PaperGpu lazy() {
    return new PaperGpu(FakeGpu.lazy());
  }

  public FakeDriver driver() {
    return gpu.driver();
  }

  PaperCudaProvider provider() {
    return new PaperCudaProvider(gpu.provider());
  }

  /** Opens the plain engine, whose methods include those of papers. */
  public Engine openPlain() {
    return gpu.open("cuda:0");
  }

  /** Opens the plain engine, and reports its phases. */
  public Engine openPlain(PhaseListener phases) {
    return gpu.provider().open("cuda:0", new EngineOptions(2, phases));
  }

  Engine open(String spec) {
    return provider().open(spec, new EngineOptions(2));
  }

  @Override
  public void close() {
    gpu.close();
  }
}
