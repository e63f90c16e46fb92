package io.fieldstone.hybrid;

import io.fieldstone.engine.Agreement;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineMemoryError;
import io.fieldstone.engine.HeldMemory;
import io.fieldstone.engine.RecordFormat;
import io.fieldstone.engine.ResidentBytes;
import io.fieldstone.engine.Sorting;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Sorting of records in host memory by parts of about one speed, as many of them as are faster
 * together ({@link Dispatcher}); the rest is one part's. Records that the parts have not the memory
 * for are one part's as well, which knows what to do then. Thread-safe.
 *
 * @param dispatcher of the parts that share
 * @param parts those
 * @param sortings theirs
 * @param runsOnHost whether what is resident on the parts is in this machine's memory
 * @param alone by one part, of whatever is not shared
 */
record SharedSorting(
    HybridEngine engine,
    Dispatcher dispatcher,
    List<Engine> parts,
    List<Sorting> sortings,
    boolean runsOnHost,
    Sorting alone)
    implements Sorting {

  /** What a byte is in multiply-accumulates, by which a sort is judged worth a split. */
  private static final double WORK_OF_A_BYTE = 0.125;

  @Override
  public RecordFormat format() {
    return alone.format();
  }

  @Override
  public String method() {
    return alone.method();
  }

  @Override
  public long leastWorkingBytes(long records) {
    return alone.leastWorkingBytes(records);
  }

  /** In little memory of this machine, one of several engines on its cores sorts. */
  @Override
  public Sorting within(long workingBytes) {
    if (runsOnHost) {
      return alone.within(workingBytes);
    }
    List<Sorting> limited =
        sortings.stream().map(part -> part.within(workingBytes / parts.size())).toList();
    return new SharedSorting(engine, dispatcher, parts, limited, false, alone.within(workingBytes));
  }

  @Override
  public void sort(MemorySegment records) {
    long count = Agreement.requireRecords(format(), records.byteSize());
    Agreement.requireWritable("the sorted records", records);
    HeldMemory.run(
        () -> {
          MemorySegment usable = HeldMemory.unconfined(records);
          share(count, usable, usable);
        },
        records);
  }

  @Override
  public void sort(MemorySegment records, MemorySegment sorted) {
    long count = Agreement.requireRecords(format(), records, sorted);
    HeldMemory.run(
        () -> share(count, HeldMemory.unconfined(records), HeldMemory.unconfined(sorted)),
        records,
        sorted);
  }

  private void share(long count, MemorySegment records, MemorySegment sorted) {
    double work = Math.max(1, WORK_OF_A_BYTE * records.byteSize());
    Kind kind = Kind.ofRecords(format(), count);
    try (SharedSort sort =
        new SharedSort(
            parts, sortings, engine.threads(), records, sorted, SharedSort.LEAST_RANGE_BYTES)) {
      try {
        dispatcher.run(Job.of(kind, engine.rule(), count, work, sort::sortRun, sort::merge));
        return;
      } catch (EngineMemoryError full) {
        if (sort.isWriting()) {
          throw full;
        }
      }
    }
    SharedSort.sortAll(alone, records, sorted);
  }

  @Override
  public void sort(ResidentBytes records, long offset, long length) {
    alone.sort(records, offset, length);
  }

  @Override
  public void argsort(MemorySegment records, MemorySegment order) {
    alone.argsort(records, order);
  }

  @Override
  public void argsort(ResidentBytes records, long offset, long length, ResidentBytes order) {
    alone.argsort(records, offset, length, order);
  }
}
