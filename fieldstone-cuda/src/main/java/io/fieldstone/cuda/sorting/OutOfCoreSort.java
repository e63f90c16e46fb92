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
 * Sorts records in host memory of which there may be more than the GPU has room for. Then runs of
 * them are sorted into other host memory, and merged range by range: the pieces of a range go up
 * again and are sorted, which, being stable, merges them.
 *
 * @param sort sorts as many as there is room for
 */
record OutOfCoreSort(Gpu gpu, HostToHostSort sort) {

  /** Runs of fewer bytes would not help. */
  private static final long MIN_RUN = 1 << 20;

  /**
   * Sorts.
   *
   * @param sorted as much memory, which may be the records'
   */
  void run(MemorySegment records, MemorySegment sorted) {
    long bytes = records.byteSize();
    if (hasRoom(
        bytes,
        () -> sort.run(List.of(HostBytes.input(gpu, records)), HostBytes.output(gpu, sorted)))) {
      return;
    }
    try (Arena arena = Arena.ofShared()) {
      MemorySegment between = arena.allocate(bytes, DeltaKernel.ROW_BYTES);
      HeldMemory.run(() -> runByRuns(records, between, sorted), between);
    }
  }

  private void runByRuns(MemorySegment records, MemorySegment between, MemorySegment sorted) {
    long runBytes = sortRuns(records, between);
    merge(new SortedRuns(format(), parts(between, runBytes)), sorted, runBytes);
  }

  private RecordFormat format() {
    return sort.kernels().layout().format();
  }

  /**
   * Whether the GPU had room for what was to be done with so many bytes.
   *
   * @throws OutOfDeviceMemoryException if it had not, and fewer would not help
   */
  private static boolean hasRoom(long bytes, Runnable work) {
    try {
      work.run();
      return true;
    } catch (OutOfDeviceMemoryException | StreamFailure e) {
      if (!isShortOfMemory(e) || bytes < MIN_RUN) {
        throw e;
      }
      return false;
    }
  }

  /** Whether an attempt failed because the GPU was too full. */
  static boolean isShortOfMemory(RuntimeException e) {
    return e instanceof OutOfDeviceMemoryException
        || (e instanceof StreamFailure failure
            && failure.failure() instanceof OutOfDeviceMemoryException);
  }

  private long half(long bytes) {
    return Math.ceilDiv(bytes / format().bytes(), 2) * format().bytes();
  }

  /** Sorts runs of the records; returns how long they are. */
  private long sortRuns(MemorySegment records, MemorySegment between) {
    for (long runBytes = half(records.byteSize()); true; runBytes = half(runBytes)) {
      List<MemorySegment> from = parts(records, runBytes);
      List<MemorySegment> to = parts(between, runBytes);
      boolean areSorted =
          hasRoom(
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
   * Brings range by range home. From the first of them on the records may be gone, if they are
   * where the result belongs; so if memory becomes short, it is the ranges left that become
   * smaller.
   */
  private void merge(SortedRuns runs, MemorySegment sorted, long runBytes) {
    int bytes = format().bytes();
    long most = runBytes;
    for (long done = 0; done < sorted.byteSize(); ) {
      long some = Math.min(most, sorted.byteSize() - done);
      MemorySegment range = sorted.asSlice(done, some);
      List<HostBytes> pieces =
          runs.range(done / bytes, some / bytes).stream()
              .map(part -> HostBytes.input(gpu, part))
              .toList();
      if (hasRoom(most, () -> sort.run(pieces, HostBytes.output(gpu, range)))) {
        done += some;
      } else {
        most = half(most);
      }
    }
  }
}
