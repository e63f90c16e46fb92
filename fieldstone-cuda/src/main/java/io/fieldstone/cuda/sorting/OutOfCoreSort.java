package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.driver.OutOfDeviceMemoryException;
import io.fieldstone.cuda.execution.ByteRange;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.StreamFailure;
import io.fieldstone.cuda.sorting.delta.DeltaKernel;
import io.fieldstone.cuda.transfer.HostBytes;
import io.fieldstone.engine.memory.HeldMemory;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.SortedRuns;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Sorts host records that may exceed the memory of the GPU. In that case it sorts runs into a host
 * buffer and merges them range by range: the parts of a range are uploaded again and sorted. This
 * merges them, because the sort is stable.
 *
 * @param sort sorts records that fit on the GPU
 */
record OutOfCoreSort(Gpu gpu, HostToHostSort sort) {

  /** The minimum bytes of a run; smaller ones need no less memory. */
  private static final long MIN_RUN_BYTES = 1 << 20;

  /**
   * Sorts records.
   *
   * @param sorted receives the result; may be the same memory as the records
   */
  void run(MemorySegment records, MemorySegment sorted) {
    long bytes = records.byteSize();
    if (hasMemoryFor(
        bytes,
        () -> sort.run(List.of(HostBytes.input(gpu, records)), HostBytes.output(gpu, sorted)))) {
      return;
    }
    try (Arena arena = Arena.ofShared()) {
      MemorySegment buffer = arena.allocate(bytes, DeltaKernel.ROW_BYTES);
      HeldMemory.run(() -> runByRuns(records, buffer, sorted), buffer);
    }
  }

  private void runByRuns(MemorySegment records, MemorySegment buffer, MemorySegment sorted) {
    long runBytes = sortRuns(records, buffer);
    merge(new SortedRuns(format(), parts(buffer, runBytes)), sorted, runBytes);
  }

  private RecordFormat format() {
    return sort.kernels().layout().format();
  }

  /**
   * Runs a task and returns whether the device memory sufficed.
   *
   * @param bytes that the task sorts at a time
   * @throws OutOfDeviceMemoryException if it did not suffice and smaller runs would not help
   */
  private static boolean hasMemoryFor(long bytes, Runnable task) {
    try {
      task.run();
      return true;
    } catch (OutOfDeviceMemoryException | StreamFailure e) {
      if (!isShortOfMemory(e) || bytes < MIN_RUN_BYTES) {
        throw e;
      }
      return false;
    }
  }

  /** Whether a task failed for lack of device memory. */
  static boolean isShortOfMemory(RuntimeException e) {
    return e instanceof OutOfDeviceMemoryException
        || (e instanceof StreamFailure failure
            && failure.failure() instanceof OutOfDeviceMemoryException);
  }

  private long half(long bytes) {
    return Math.ceilDiv(bytes / format().bytes(), 2) * format().bytes();
  }

  /** Sorts runs of the records and returns the length of a run in bytes. */
  private long sortRuns(MemorySegment records, MemorySegment buffer) {
    for (long runBytes = half(records.byteSize()); true; runBytes = half(runBytes)) {
      List<MemorySegment> from = parts(records, runBytes);
      List<MemorySegment> to = parts(buffer, runBytes);
      boolean areSorted =
          hasMemoryFor(
              runBytes,
              () -> {
                for (int i = 0; i < from.size(); i++) {
                  sort.run(
                      List.of(HostBytes.input(gpu, from.get(i))), HostBytes.output(gpu, to.get(i)));
                }
              });
      if (areSorted) {
        return runBytes;
      }
    }
  }

  private static List<MemorySegment> parts(MemorySegment memory, long bytes) {
    return ByteRange.split(memory.byteSize(), bytes).stream()
        .map(range -> memory.asSlice(range.offset(), range.bytes()))
        .toList();
  }

  /**
   * Merges runs range by range. The first range may overwrite the records, so a lack of memory from
   * then on shrinks the remaining ranges instead of restarting the sort.
   */
  private void merge(SortedRuns runs, MemorySegment sorted, long runBytes) {
    int bytes = format().bytes();
    long maxBytes = runBytes;
    for (long done = 0; done < sorted.byteSize(); ) {
      long rangeBytes = Math.min(maxBytes, sorted.byteSize() - done);
      MemorySegment range = sorted.asSlice(done, rangeBytes);
      List<HostBytes> pieces =
          runs.range(done / bytes, rangeBytes / bytes).stream()
              .map(part -> HostBytes.input(gpu, part))
              .toList();
      if (hasMemoryFor(maxBytes, () -> sort.run(pieces, HostBytes.output(gpu, range)))) {
        done += rangeBytes;
      } else {
        maxBytes = half(maxBytes);
      }
    }
  }
}
