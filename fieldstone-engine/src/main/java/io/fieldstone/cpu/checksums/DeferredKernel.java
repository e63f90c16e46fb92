package io.fieldstone.cpu.checksums;

import io.fieldstone.concurrent.Deferred;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/**
 * Divides by tables until enough bytes have been divided to pay for loading the native kernels;
 * then by these, or by kernels in Java if they are missing.
 */
final class DeferredKernel implements SegmentKernel {

  /**
   * Bytes that tables divide while they are being compiled, in more time than loading takes. Each
   * thread that begins with a large piece would otherwise divide all of it like that.
   */
  private static final double LOAD_THRESHOLD = 1 << 22;

  private final Deferred<SegmentKernel> kernels;

  /**
   * Makes a kernel; nothing is loaded yet.
   *
   * @param faster makes the kernel that takes the place of the tables
   */
  DeferredKernel(SegmentKernel tables, Supplier<SegmentKernel> faster) {
    kernels = new Deferred<>(tables, faster, LOAD_THRESHOLD);
  }

  @Override
  public long append(long register, long address, long bytes) {
    return kernels.current((double) bytes).append(register, address, bytes);
  }

  @Override
  public long append(long register, byte[] array, int from, int length) {
    return kernels.current(length).append(register, array, from, length);
  }

  @Override
  public boolean acceptsSegment(long bytes) {
    return kernels.ifMade().map(kernel -> kernel.acceptsSegment(bytes)).orElse(true);
  }

  @Override
  public long append(long register, MemorySegment message) {
    return kernels.current((double) message.byteSize()).append(register, message);
  }

  @Override
  public void expect(long bytes) {
    kernels.expect((double) bytes);
  }

  @Override
  public void awaitCompiled() {
    kernels.faster().awaitCompiled();
  }

  @Override
  public void close() {
    kernels.ifMade().ifPresent(RemainderKernel::close);
  }
}
