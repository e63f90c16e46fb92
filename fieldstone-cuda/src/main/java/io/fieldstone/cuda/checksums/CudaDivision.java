package io.fieldstone.cuda.checksums;

import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.transfer.ByteSource;
import io.fieldstone.cuda.transfer.CudaResidentBytes;
import io.fieldstone.cuda.transfer.HostBytes;
import io.fieldstone.cuda.transfer.ResidentSlice;
import io.fieldstone.engine.checksums.ChecksumPreconditions;
import io.fieldstone.engine.checksums.Division;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.engine.memory.Extents;
import io.fieldstone.engine.memory.ResidentBytes;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.Supplier;

/** A division by one method of a GPU: checks the operands and resolves their memory. */
abstract sealed class CudaDivision implements Division permits FoldingDivision, ChunkDivision {

  private final Gpu gpu;
  private final Divisor divisor;
  private final String name;

  CudaDivision(Gpu gpu, Divisor divisor, String name) {
    this.gpu = gpu;
    this.divisor = divisor;
    this.name = name;
  }

  /** Divides a message within a call to the GPU. */
  abstract long divide(long register, ByteSource message);

  /**
   * Divides a batch of messages within a call to the GPU; {@code registers} receives the results.
   */
  abstract void divide(long register, ByteSource data, Extents messages, MemorySegment registers);

  Gpu gpu() {
    return gpu;
  }

  @Override
  public Divisor divisor() {
    return divisor;
  }

  @Override
  public String method() {
    return name;
  }

  /** Does nothing: the kernels are shipped compiled. */
  @Override
  public void warmUp() {}

  @Override
  public long append(long register, MemorySegment message) {
    ChecksumPreconditions.requireRegister(divisor, register);
    return gpu.call(
        operation("%d bytes", message.byteSize()),
        () -> divide(register, HostBytes.input(gpu, message)),
        message);
  }

  @Override
  public long append(long register, ResidentBytes data, long offset, long length) {
    ChecksumPreconditions.requireRegister(divisor, register);
    CudaResidentBytes bytes = CudaResidentBytes.on(gpu, data);
    Objects.checkFromIndexSize(offset, length, bytes.byteSize());
    return gpu.call(
        operation("%d resident bytes", length),
        () ->
            bytes.withAddress(
                address -> divide(register, new ResidentSlice(address + offset, length))));
  }

  @Override
  public void append(long register, MemorySegment data, Extents messages, MemorySegment registers) {
    ChecksumPreconditions.requireRegister(divisor, register);
    Extents copy = messages.copy();
    ChecksumPreconditions.requireMessages(copy, data.byteSize(), registers);
    gpu.run(
        operation("%d messages", copy.count()),
        () -> divide(register, HostBytes.input(gpu, data), copy, registers),
        data,
        registers);
  }

  @Override
  public void append(long register, ResidentBytes data, Extents messages, MemorySegment registers) {
    ChecksumPreconditions.requireRegister(divisor, register);
    CudaResidentBytes bytes = CudaResidentBytes.on(gpu, data);
    Extents copy = messages.copy();
    ChecksumPreconditions.requireMessages(copy, bytes.byteSize(), registers);
    gpu.run(
        operation("%d resident messages", copy.count()),
        () ->
            bytes.useAddress(address -> {
              ByteSource source = new ResidentSlice(address, bytes.byteSize());
              divide(register, source, copy, registers);
            }),
        registers);
  }

  private Supplier<String> operation(String operation, long count) {
    return () -> "divide %s by %s with %s".formatted(operation.formatted(count), divisor, name);
  }
}
