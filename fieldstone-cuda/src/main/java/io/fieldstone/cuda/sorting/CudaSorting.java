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
 * Sorts records by one method of a GPU. {@code sort} accepts more host records than fit on the GPU;
 * {@code argsort} does not. Sorting resident records needs device memory for a second copy.
 * Thread-safe.
 */
final class CudaSorting implements Sorting {

  private final Gpu gpu;
  private final RecordFormat format;
  private final CudaSortMethod method;
  private final SortKernels.Cache kernels;
  private final DeltaDecoder decoder;
  private final long maxWorkingBytes;

  /** Creates a sort without a limit on working memory. */
  CudaSorting(
      Gpu gpu,
      RecordFormat format,
      CudaSortMethod method,
      SortKernels.Cache kernels,
      DeltaDecoder decoder) {
    this(gpu, format, method, kernels, decoder, Long.MAX_VALUE);
  }

  private CudaSorting(
      Gpu gpu,
      RecordFormat format,
      CudaSortMethod method,
      SortKernels.Cache kernels,
      DeltaDecoder decoder,
      long maxWorkingBytes) {
    this.gpu = gpu;
    this.format = format;
    this.method = method;
    this.kernels = kernels;
    this.decoder = decoder;
    this.maxWorkingBytes = maxWorkingBytes;
  }

  @Override
  public RecordFormat format() {
    return format;
  }

  @Override
  public String method() {
    return method.spec();
  }

  /** Returns the bytes of sorted runs that are buffered if not all records fit on the GPU. */
  @Override
  public long minWorkingBytes(long records) {
    return records * format.bytes();
  }

  /** Disables compressed downloads if their staging memory exceeds {@code workingBytes}. */
  @Override
  public Sorting withMemoryLimit(long workingBytes) {
    return new CudaSorting(gpu, format, method, kernels, decoder, workingBytes);
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
    gpu.run(
        describe("sort %d records", count),
        () -> {
          SortKernels kernel = kernels.of(SortLayout.ofRecords(format, count));
          SortOutput output = SortOutput.ofRecords(kernel.layout(), 0);
          long maxDecodingBytes = maxWorkingBytes - minWorkingBytes(count);
          HostToHostSort sort =
              new HostToHostSort(gpu, method, kernel, output, decoder, maxDecodingBytes);
          new OutOfCoreSort(gpu, sort).run(records, sorted);
        },
        records,
        sorted);
  }

  @Override
  public void sort(ResidentBytes records, long offset, long length) {
    CudaResidentBytes bytes = CudaResidentBytes.on(gpu, records);
    Objects.checkFromIndexSize(offset, length, bytes.byteSize());
    long count = SortPreconditions.requireRecords(format, length);
    gpu.run(
        describe("sort %d resident records", count),
        () -> {
          bytes.withExclusiveAddress(address -> {
            if (count > 1) {
              deviceSort(SortLayout.ofRecords(format, count)).sort(address + offset, count);
            }
          });
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
    gpu.run(
        describe("find the order of %d records", count),
        () -> {
          SortKernels kernel = kernels.of(SortLayout.ofIndices(format, count));
          SortOutput output = SortOutput.ofOrder(indexBytes);
          new HostToHostSort(gpu, method, kernel, output, decoder, maxWorkingBytes)
              .run(List.of(HostBytes.input(gpu, records)), HostBytes.output(gpu, order));
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
    gpu.run(
        describe("find the order of %d resident records", count),
        () ->
            bytes.useAddress(from ->
                indices.useAddress(to -> {
                  if (count > 0) {
                    deviceSort(SortLayout.ofIndices(format, count))
                        .order(from + offset, count, to, indexBytes);
                  }
                })));
  }

  private DeviceSort deviceSort(SortLayout layout) {
    return new DeviceSort(gpu, kernels.of(layout), method);
  }

  private Supplier<String> describe(String operation, long count) {
    return () -> "%s of %s with %s".formatted(operation.formatted(count), format, method.spec());
  }
}
