package io.fieldstone.cuda;

import io.fieldstone.cuda.driver.FakeDriver;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.memory.PhaseListener;
import java.lang.foreign.MemorySegment;

/** A driver in pure Java with one or more GPUs and all kernels. */
public final class FakeGpu implements AutoCloseable {

  private final FakeDriver driver;

  public FakeGpu() {
    this(1);
  }

  /**
   * @param count the number of GPUs
   */
  FakeGpu(int count) {
    driver = FakeKernels.register(new FakeDriver(count));
  }

  /** Returns a GPU that runs work only when a thread waits for it, which reveals missing waits. */
  public static FakeGpu lazy() {
    FakeGpu gpu = new FakeGpu();
    gpu.driver.lazy();
    return gpu;
  }

  public FakeDriver driver() {
    return driver;
  }

  /** Returns a provider of its engines. */
  public CudaProvider provider() {
    return new CudaProvider(
        driver::status, (context, _) -> context.load(MemorySegment.ofArray(new byte[1])));
  }

  public Engine open(String spec) {
    return open(spec, PhaseListener.NONE);
  }

  Engine open(String spec, PhaseListener phases) {
    return provider().open(spec, new EngineOptions(2, phases));
  }

  @Override
  public void close() {
    driver.close();
  }
}
