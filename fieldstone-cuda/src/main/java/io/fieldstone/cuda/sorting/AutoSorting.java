package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.engine.EngineMemoryError;
import io.fieldstone.engine.memory.ResidentBytes;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.Sorting;
import java.lang.foreign.MemorySegment;

/**
 * Sorts what is on the GPU there, and what is in host memory where it is done sooner: a call to the
 * GPU takes tens of launches, a tenth of a millisecond. Thread-safe.
 *
 * @param method that it goes by
 * @param resident sorts what is on the GPU, and what crosses the bus in a few milliseconds
 * @param crossing sorts much from host memory
 * @param processor sorts a little
 */
record AutoSorting(String method, Gpu gpu, Sorting resident, Sorting crossing, Sorting processor)
    implements Sorting {

  /** Bytes from which the GPU is sooner: a core takes as long as all launches for 10^4 keys. */
  private static final long TRANSFER_THRESHOLD = 64 << 10;

  /** Bytes from which buckets are large enough to come down one by one. */
  private static final long BUCKET_THRESHOLD = 80 << 20;

  @Override
  public RecordFormat format() {
    return resident.format();
  }

  @Override
  public long minWorkingBytes(long records) {
    return Math.max(crossing.minWorkingBytes(records), processor.minWorkingBytes(records));
  }

  @Override
  public Sorting within(long workingBytes) {
    return new AutoSorting(
        method,
        gpu,
        resident.within(workingBytes),
        crossing.within(workingBytes),
        processor.within(workingBytes));
  }

  private Sorting of(long bytes) {
    if (bytes >= TRANSFER_THRESHOLD) {
      return bytes < BUCKET_THRESHOLD ? resident : crossing;
    }
    gpu.requireOpen();
    return processor;
  }

  @Override
  public void sort(MemorySegment records) {
    of(records.byteSize()).sort(records);
  }

  @Override
  public void sort(MemorySegment records, MemorySegment sorted) {
    of(records.byteSize()).sort(records, sorted);
  }

  @Override
  public void sort(ResidentBytes records, long offset, long length) {
    resident.sort(records, offset, length);
  }

  /** Of more records than the GPU has room for, the cores find the order. */
  @Override
  public void argsort(MemorySegment records, MemorySegment order) {
    try {
      of(records.byteSize()).argsort(records, order);
    } catch (EngineMemoryError full) {
      processor.argsort(records, order);
    }
  }

  @Override
  public void argsort(ResidentBytes records, long offset, long length, ResidentBytes order) {
    resident.argsort(records, offset, length, order);
  }
}
