package io.fieldstone.cuda;

import io.fieldstone.engine.RecordFormat;
import io.fieldstone.engine.ResidentBytes;
import io.fieldstone.engine.Sorting;
import java.lang.foreign.MemorySegment;

/**
 * Sorts what is on the GPU there, and what is in host memory where it is done sooner: a call to the
 * GPU takes tens of launches, a tenth of a millisecond, in which cores sort a hundred kilobytes or
 * so. Thread-safe.
 *
 * @param method that it goes by
 * @param resident sorts what is on the GPU
 * @param crossing sorts much from host memory
 * @param processor sorts a little
 */
record ChosenSorting(String method, Gpu gpu, Sorting resident, Sorting crossing, Sorting processor)
    implements Sorting {

  /** Bytes from which the GPU is sooner. */
  private static final long WORTH_THE_WAY = 512 << 10;

  @Override
  public RecordFormat format() {
    return resident.format();
  }

  @Override
  public int workingBytesPerRecord() {
    return Math.max(crossing.workingBytesPerRecord(), processor.workingBytesPerRecord());
  }

  private Sorting of(long bytes) {
    if (bytes >= WORTH_THE_WAY) {
      return crossing;
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

  @Override
  public void argsort(MemorySegment records, MemorySegment order) {
    of(records.byteSize()).argsort(records, order);
  }

  @Override
  public void argsort(ResidentBytes records, long offset, long length, ResidentBytes order) {
    resident.argsort(records, offset, length, order);
  }
}
