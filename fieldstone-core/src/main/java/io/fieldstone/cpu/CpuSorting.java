package io.fieldstone.cpu;

import io.fieldstone.engine.Agreement;
import io.fieldstone.engine.RecordFormat;
import io.fieldstone.engine.ResidentBytes;
import io.fieldstone.engine.Sorting;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;

/** Sorting by one kernel. */
final class CpuSorting implements Sorting {

  private final CpuEngine engine;
  private final RecordFormat format;
  private final String method;
  private final SortKernel kernel;

  CpuSorting(CpuEngine engine, RecordFormat format, String method, SortKernel kernel) {
    this.engine = engine;
    this.format = format;
    this.method = method;
    this.kernel = kernel;
  }

  @Override
  public RecordFormat format() {
    return format;
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public int workingBytesPerRecord() {
    return kernel.workingBytesPerRecord();
  }

  @Override
  public void sort(MemorySegment records) {
    Agreement.requireRecords(format, records.byteSize());
    Agreement.requireWritable("the sorted records", records);
    try {
      MemorySegment usable = NativeRows.lend(records);
      kernel.sort(usable, usable);
    } finally {
      Reference.reachabilityFence(records);
    }
  }

  @Override
  public void sort(MemorySegment records, MemorySegment sorted) {
    Agreement.requireRecords(format, records, sorted);
    try {
      kernel.sort(NativeRows.lend(records), NativeRows.lend(sorted));
    } finally {
      Reference.reachabilityFence(records);
      Reference.reachabilityFence(sorted);
    }
  }

  @Override
  public void sort(ResidentBytes records, long offset, long length) {
    sort(slice(records, offset, length));
  }

  @Override
  public void argsort(MemorySegment records, MemorySegment order) {
    int indexBytes = Agreement.requireOrder(format, records, order);
    try {
      kernel.argsort(NativeRows.lend(records), NativeRows.lend(order), indexBytes);
    } finally {
      Reference.reachabilityFence(records);
      Reference.reachabilityFence(order);
    }
  }

  @Override
  public void argsort(ResidentBytes records, long offset, long length, ResidentBytes order) {
    argsort(slice(records, offset, length), engine.resident(order));
  }

  private MemorySegment slice(ResidentBytes records, long offset, long length) {
    MemorySegment memory = engine.resident(records);
    Objects.checkFromIndexSize(offset, length, memory.byteSize());
    return memory.asSlice(offset, length);
  }
}
