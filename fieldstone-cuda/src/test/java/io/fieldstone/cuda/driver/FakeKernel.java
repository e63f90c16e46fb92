package io.fieldstone.cuda.driver;

import java.lang.foreign.MemorySegment;

/** What a kernel does, in Java: the twin that {@link FakeDriver} runs in its place. */
@FunctionalInterface
public interface FakeKernel {

  /**
   * Does the work of a whole launch.
   *
   * @param shape of the launch
   * @param arguments the kernel's struct; addresses in it are good for {@link #memory}
   */
  void run(LaunchShape shape, MemorySegment arguments);

  /** Memory of a fake device at an address that a kernel was given. */
  static MemorySegment memory(long address, long bytes) {
    return MemorySegment.ofAddress(address).reinterpret(bytes);
  }
}
