package io.fieldstone.cuda.driver;

import java.lang.foreign.MemorySegment;

/** A kernel in Java, which {@link FakeDriver} runs. */
@FunctionalInterface
public interface FakeKernel {

  /**
   * Runs a launch.
   *
   * @param shape the shape of the launch
   * @param arguments the kernel's struct, whose addresses {@link #memory} resolves
   */
  void run(LaunchShape shape, MemorySegment arguments);

  /** Returns memory of a fake device at an address. */
  static MemorySegment memory(long address, long bytes) {
    return MemorySegment.ofAddress(address).reinterpret(bytes);
  }
}
