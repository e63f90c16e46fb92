package io.fieldstone.cpu.checksums;

import java.lang.foreign.MemorySegment;

/**
 * Uses one kernel for short messages and another for long ones.
 *
 * @param tables kernel for short messages
 * @param fast kernel for long messages
 * @param minBytes minimum bytes of a long message
 */
record LengthThresholdKernel(SegmentKernel tables, SegmentKernel fast, int minBytes)
    implements SegmentKernel {

  @Override
  public long append(long register, long address, long bytes) {
    return bytes < minBytes
        ? tables.append(register, address, bytes)
        : fast.append(register, address, bytes);
  }

  @Override
  public boolean acceptsSegment(long bytes) {
    return (bytes < minBytes ? tables : fast).acceptsSegment(bytes);
  }

  @Override
  public long append(long register, MemorySegment message) {
    return message.byteSize() < minBytes
        ? tables.append(register, message)
        : fast.append(register, message);
  }

  @Override
  public long append(long register, byte[] array, int from, int length) {
    return length < minBytes
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
