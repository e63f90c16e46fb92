package io.fieldstone.cpu.checksums;

/**
 * One kernel for short messages and another for the rest.
 *
 * @param tables for short ones
 * @param fast for others
 * @param least bytes of a message from which the fast one is faster
 */
record LengthThresholdKernel(RemainderKernel tables, RemainderKernel fast, int least)
    implements RemainderKernel {

  @Override
  public long append(long register, long address, long bytes) {
    return bytes < least
        ? tables.append(register, address, bytes)
        : fast.append(register, address, bytes);
  }

  @Override
  public long append(long register, byte[] array, int from, int length) {
    return length < least
        ? tables.append(register, array, from, length)
        : fast.append(register, array, from, length);
  }

  @Override
  public void awaitCompiled() {
    fast.awaitCompiled();
  }

  @Override
  public void close() {
    fast.close();
  }
}
