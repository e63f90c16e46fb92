package io.fieldstone.cpu.checksums;

/**
 * Divides one message on one core by one {@link io.fieldstone.engine.checksums.Divisor}, in either
 * of two kinds of memory. Thread-safe; checks nothing.
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

  /** Returns when the kernel is as fast as it will be. */
  default void awaitCompiled() {}

  /** Ends whatever goes on behind the kernel, which may be used no more. */
  default void close() {}
}
