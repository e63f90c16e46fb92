package io.fieldstone.cpu.checksums;

/**
 * Divides a message on one core by one {@link io.fieldstone.engine.checksums.Divisor}, in native
 * memory or an array. Thread-safe. Arguments are not checked.
 */
public interface RemainderKernel {

  /**
   * Appends native memory.
   *
   * @param address in {@link io.fieldstone.cpu.execution.Rows#MEMORY}, of any alignment
   * @param bytes ≥ 0
   * @return the register after it
   */
  long append(long register, long address, long bytes);

  /**
   * Appends part of an array.
   *
   * @return the register after it
   */
  long append(long register, byte[] array, int from, int length);

  /** Announces bytes to divide. If they are many, the kernel may load faster code first. */
  default void expect(long bytes) {}

  /** Waits until the kernel has reached its final speed. */
  default void awaitCompiled() {}

  /** Ends background work of the kernel, which must not be used any more. */
  default void close() {}
}
