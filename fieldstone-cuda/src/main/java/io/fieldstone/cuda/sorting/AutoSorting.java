package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.engine.EngineMemoryError;
import io.fieldstone.engine.memory.ResidentBytes;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.Sorting;
import java.lang.foreign.MemorySegment;

/**
 * Chooses between the GPU and the CPU by the size of the input. A call to the GPU launches tens of
 * kernels, which takes about 0.1 ms. Thread-safe.
 *
 * @param method its name
 * @param thresholds between the methods
 * @param resident sorts resident records, and host records below {@code bucketBytes}
 * @param hostToHost sorts host records from {@code bucketBytes} on
 * @param cpu sorts host records below {@code gpuBytes}
 */
record AutoSorting(
    String method,
    Gpu gpu,
    SortTuning.Thresholds thresholds,
    Sorting resident,
    Sorting hostToHost,
    Sorting cpu)
    implements Sorting {

  @Override
  public RecordFormat format() {
    return resident.format();
  }

  @Override
  public long minWorkingBytes(long records) {
    return Math.max(hostToHost.minWorkingBytes(records), cpu.minWorkingBytes(records));
  }

  @Override
  public Sorting withMemoryLimit(long workingBytes) {
    return new AutoSorting(
        method,
        gpu,
        thresholds,
        resident.withMemoryLimit(workingBytes),
        hostToHost.withMemoryLimit(workingBytes),
        cpu.withMemoryLimit(workingBytes));
  }

  private Sorting choose(long bytes) {
    if (bytes >= thresholds.gpuBytes()) {
      return bytes < thresholds.bucketBytes() ? resident : hostToHost;
    }
    gpu.requireOpen();
    return cpu;
  }

  @Override
  public void sort(MemorySegment records) {
    choose(records.byteSize()).sort(records);
  }

  @Override
  public void sort(MemorySegment records, MemorySegment sorted) {
    choose(records.byteSize()).sort(records, sorted);
  }

  @Override
  public void sort(ResidentBytes records, long offset, long length) {
    resident.sort(records, offset, length);
  }

  /** Uses the CPU if the records do not fit on the GPU. */
  @Override
  public void argsort(MemorySegment records, MemorySegment order) {
    try {
      choose(records.byteSize()).argsort(records, order);
    } catch (EngineMemoryError _) {
      cpu.argsort(records, order);
    }
  }

  @Override
  public void argsort(ResidentBytes records, long offset, long length, ResidentBytes order) {
    resident.argsort(records, offset, length, order);
  }
}
