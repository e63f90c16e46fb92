package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.sorting.delta.DeltaDecoder;
import io.fieldstone.cuda.transfer.CudaResidentBytes;
import io.fieldstone.cuda.transfer.HostBytes;
import io.fieldstone.engine.memory.MemoryPreconditions;
import io.fieldstone.engine.memory.ResidentBytes;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.SortPreconditions;
import io.fieldstone.engine.sorting.Sorting;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Sorting by one method of a GPU. Records in host memory may be more than the GPU has room for;
 * their order is found only of as many as fit, and what is resident has to leave room for another
 * copy. Thread-safe.
 */
final class CudaSorting implements Sorting {

  private final Gpu gpu;
  private final RecordFormat format;
  private final CudaSortMethod method;
  private final SortKernels.Cache kernels;
  private final DeltaDecoder unpacker;
  private final long limit;

  /** By a method, in any amount of this machine's memory. */
  CudaSorting(
      Gpu gpu,
      RecordFormat format,
      CudaSortMethod method,
      SortKernels.Cache kernels,
      DeltaDecoder unpacker) {
    this(gpu, format, method, kernels, unpacker, Long.MAX_VALUE);
  }

  private CudaSorting(
      Gpu gpu,
      RecordFormat format,
      CudaSortMethod method,
      SortKernels.Cache kernels,
      DeltaDecoder unpacker,
      long limit) {
    this.gpu = gpu;
    this.format = format;
    this.method = method;
    this.kernels = kernels;
    this.unpacker = unpacker;
    this.limit = limit;
  }

  @Override
  public RecordFormat format() {
    return format;
  }

  @Override
  public String method() {
    return method.spec();
  }

  /** What runs go to where the GPU has not room for all records. */
  @Override
  public long minWorkingBytes(long records) {
    return records * format.bytes();
  }

  /** What is packed needs memory to be unpacked from: if there is too little, nothing is packed. */
  @Override
  public Sorting within(long workingBytes) {
    return new CudaSorting(gpu, format, method, kernels, unpacker, workingBytes);
  }

  @Override
  public void sort(MemorySegment records) {
    long count = SortPreconditions.requireRecords(format, records.byteSize());
    MemoryPreconditions.requireWritable("the sorted records", records);
    sort(records, records, count);
  }

  @Override
  public void sort(MemorySegment records, MemorySegment sorted) {
    sort(records, sorted, SortPreconditions.requireRecords(format, records, sorted));
  }

  private void sort(MemorySegment records, MemorySegment sorted, long count) {
    if (count <= 1) {
      gpu.requireOpen();
      sorted.copyFrom(records);
      return;
    }
    gpu.call(
        what("sort %d records", count),
        () -> {
          SortKernels items = kernels.of(SortLayout.ofRecords(format, count));
          SortOutput delivery = SortOutput.ofRecords(items.layout(), 0);
          long left = limit - minWorkingBytes(count);
          HostToHostSort sort = new HostToHostSort(gpu, method, items, delivery, unpacker, left);
          new OutOfCoreSort(gpu, sort).run(records, sorted);
          return this;
        },
        records,
        sorted);
  }

  @Override
  public void sort(ResidentBytes records, long offset, long length) {
    CudaResidentBytes bytes = CudaResidentBytes.on(gpu, records);
    Objects.checkFromIndexSize(offset, length, bytes.byteSize());
    long count = SortPreconditions.requireRecords(format, length);
    gpu.call(
        what("sort %d resident records", count),
        () -> {
          bytes.alone(address -> {
            if (count > 1) {
              resident(SortLayout.ofRecords(format, count)).sort(address + offset, count);
            }
          });
          return this;
        });
  }

  @Override
  public void argsort(MemorySegment records, MemorySegment order) {
    int indexBytes = SortPreconditions.requireOrder(format, records, order);
    long count = records.byteSize() / format.bytes();
    if (count == 0) {
      gpu.requireOpen();
      return;
    }
    gpu.call(
        what("find the order of %d records", count),
        () -> {
          SortKernels items = kernels.of(SortLayout.ofIndices(format, count));
          SortOutput delivery = SortOutput.ofOrder(indexBytes);
          new HostToHostSort(gpu, method, items, delivery, unpacker, limit)
              .run(List.of(HostBytes.input(gpu, records)), HostBytes.output(gpu, order));
          return this;
        },
        records,
        order);
  }

  @Override
  public void argsort(ResidentBytes records, long offset, long length, ResidentBytes order) {
    CudaResidentBytes bytes = CudaResidentBytes.on(gpu, records);
    CudaResidentBytes indices = CudaResidentBytes.on(gpu, order);
    Objects.checkFromIndexSize(offset, length, bytes.byteSize());
    long count = SortPreconditions.requireRecords(format, length);
    int indexBytes = SortPreconditions.requireOrder(count, indices.byteSize());
    if (bytes.equals(indices) && count > 0) {
      throw new IllegalArgumentException("the order overlaps the records");
    }
    gpu.call(
        what("find the order of %d resident records", count),
        () ->
            bytes.inside(from ->
                indices.inside(to -> {
                  if (count > 0) {
                    resident(SortLayout.ofIndices(format, count))
                        .order(from + offset, count, to, indexBytes);
                  }
                  return this;
                })));
  }

  private DeviceSort resident(SortLayout layout) {
    return new DeviceSort(gpu, kernels.of(layout), method.makesBuckets());
  }

  private Supplier<String> what(String what, long count) {
    return () -> "%s of %s with %s".formatted(what.formatted(count), format, method.spec());
  }
}
