package io.fieldstone.cuda.checksums;

import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.engine.checksums.Division;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.engine.memory.Extents;
import io.fieldstone.engine.memory.ResidentBytes;
import java.lang.foreign.MemorySegment;

/**
 * Divides what is on the GPU there, and what is in host memory where it is done sooner: a call to
 * the GPU takes twenty microseconds before the first byte has crossed the bus, in which time a core
 * divides some hundred kilobytes. Where the GPU has no tensor cores that divide, what is in host
 * memory stays there.
 */
final class AutoDivision implements Division {

  /** Bytes from which a GPU behind 50 GB/s has the result before a core that divides 20 GB/s. */
  private static final long TRANSFER_THRESHOLD = 1 << 20;

  private final String name;
  private final Gpu gpu;
  private final Division gpuDivision;
  private final Division cpuDivision;
  private final boolean isGpuFast;

  /**
   * @param name that it goes by
   * @param here division on the GPU
   * @param isFast whether that is faster than the bus
   */
  AutoDivision(String name, Gpu gpu, Division here, Division processor, boolean isFast) {
    this.name = name;
    this.gpu = gpu;
    this.gpuDivision = here;
    this.cpuDivision = processor;
    this.isGpuFast = isFast;
  }

  @Override
  public Divisor divisor() {
    return gpuDivision.divisor();
  }

  @Override
  public String method() {
    return name;
  }

  private Division divisionFor(long bytes) {
    if (isGpuFast && bytes >= TRANSFER_THRESHOLD) {
      return gpuDivision;
    }
    gpu.requireOpen();
    return cpuDivision;
  }

  @Override
  public long append(long register, MemorySegment message) {
    return divisionFor(message.byteSize()).append(register, message);
  }

  @Override
  public long append(long register, ResidentBytes data, long offset, long length) {
    return gpuDivision.append(register, data, offset, length);
  }

  @Override
  public void append(long register, MemorySegment data, Extents messages, MemorySegment registers) {
    messages.requireWithin(data.byteSize());
    divisionFor(messages.totalLength()).append(register, data, messages, registers);
  }

  @Override
  public void append(long register, ResidentBytes data, Extents messages, MemorySegment registers) {
    gpuDivision.append(register, data, messages, registers);
  }
}
