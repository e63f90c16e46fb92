package io.fieldstone.cuda.checksums;

import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.engine.checksums.Division;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.engine.memory.Extents;
import io.fieldstone.engine.memory.ResidentBytes;
import java.lang.foreign.MemorySegment;

/**
 * Divides resident messages on the GPU, and those in host memory where that is faster. A call to
 * the GPU takes twenty microseconds before the first byte crosses the bus, during which a core
 * divides several hundred kilobytes. GPUs without binary tensor cores divide resident messages
 * only.
 */
final class AutoDivision implements Division {

  /** The minimum bytes for the GPU: a bus of 50 GB/s against a core that divides 20 GB/s. */
  private static final long TRANSFER_THRESHOLD = 1 << 20;

  private final String name;
  private final Gpu gpu;
  private final Division gpuDivision;
  private final Division cpuDivision;
  private final boolean isGpuFast;

  /**
   * @param name the name of the method
   * @param gpuDivision the division on the GPU
   * @param isGpuFast whether the division on the GPU is faster than the bus
   */
  AutoDivision(
      String name, Gpu gpu, Division gpuDivision, Division cpuDivision, boolean isGpuFast) {
    this.name = name;
    this.gpu = gpu;
    this.gpuDivision = gpuDivision;
    this.cpuDivision = cpuDivision;
    this.isGpuFast = isGpuFast;
  }

  @Override
  public Divisor divisor() {
    return gpuDivision.divisor();
  }

  @Override
  public String method() {
    return name;
  }

  @Override
  public void warmUp() {
    gpuDivision.warmUp();
    cpuDivision.warmUp();
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
