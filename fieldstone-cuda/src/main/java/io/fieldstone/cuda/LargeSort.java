package io.fieldstone.cuda;

import io.fieldstone.cuda.driver.OutOfDeviceMemoryException;
import io.fieldstone.engine.RecordFormat;
import io.fieldstone.engine.SortedRuns;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Sorts records in host memory of which there may be more than the GPU has room for. Then runs of
 * them are sorted into other host memory, and merged range by range: the pieces of a range go up
 * again and are sorted, which, being stable, merges them.
 *
 * @param sort sorts as many as there is room for
 */
record LargeSort(Gpu gpu, HostSort sort) {

  /** Runs of fewer bytes would not help. */
  private static final long LEAST_RUN = 1 << 20;

  /**
   * Sorts.
   *
   * @param sorted as much memory, which may be the records'
   */
  void run(MemorySegment records, MemorySegment sorted) {
    for (long runs = 1; true; runs *= 2) {
      try {
        run(records, sorted, runs);
        return;
      } catch (OutOfDeviceMemoryException | LaneFailure e) {
        if (!isShortOfMemory(e) || records.byteSize() / runs < LEAST_RUN) {
          throw e;
        }
      }
    }
  }

  /** Whether an attempt failed because the GPU was too full. */
  static boolean isShortOfMemory(RuntimeException e) {
    return e instanceof OutOfDeviceMemoryException
        || (e instanceof LaneFailure failure
            && failure.failure() instanceof OutOfDeviceMemoryException);
  }

  private void run(MemorySegment records, MemorySegment sorted, long runs) {
    if (runs == 1) {
      sort.run(List.of(gpu.input(records)), gpu.output(sorted));
      return;
    }
    RecordFormat format = sort.kernels().layout().format();
    long count = records.byteSize() / format.bytes();
    long runBytes = Math.ceilDiv(count, runs) * format.bytes();
    try (Arena arena = Arena.ofShared()) {
      MemorySegment between = arena.allocate(records.byteSize(), SortKernels.ROW_BYTES);
      List<MemorySegment> parts = new ArrayList<>();
      for (Span span : Span.cut(records.byteSize(), runBytes)) {
        MemorySegment part = between.asSlice(span.offset(), span.bytes());
        MemorySegment from = records.asSlice(span.offset(), span.bytes());
        sort.run(List.of(gpu.input(from)), gpu.output(part));
        parts.add(part);
      }
      merge(new SortedRuns(format, parts), sorted, runBytes);
    }
  }

  private void merge(SortedRuns runs, MemorySegment sorted, long mostBytes) {
    int bytes = runs.format().bytes();
    for (Span span : Span.cut(sorted.byteSize(), mostBytes)) {
      List<HostBytes> pieces =
          runs.range(span.offset() / bytes, span.bytes() / bytes).stream().map(gpu::input).toList();
      sort.run(pieces, gpu.output(sorted.asSlice(span.offset(), span.bytes())));
    }
  }
}
