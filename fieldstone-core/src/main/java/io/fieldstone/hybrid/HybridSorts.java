package io.fieldstone.hybrid;

import io.fieldstone.engine.RecordFormat;
import io.fieldstone.engine.ResidentBytes;
import io.fieldstone.engine.Sorting;
import io.fieldstone.engine.Sorts;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Sorting by one part.
 *
 * @param part its number
 */
record HybridSorts(HybridEngine engine, int part) implements Sorts {

  @Override
  public List<String> methods(RecordFormat format) {
    return sorts().methods(format);
  }

  @Override
  public Sorting sorting(RecordFormat format) {
    return new OnPart(engine, part, sorts().sorting(format));
  }

  @Override
  public Sorting sorting(RecordFormat format, String method) {
    return new OnPart(engine, part, sorts().sorting(format, method));
  }

  private Sorts sorts() {
    return engine.parts().get(part).sorts();
  }

  /** The part's, on its share of what is resident. */
  private record OnPart(HybridEngine engine, int part, Sorting sorting) implements Sorting {

    @Override
    public RecordFormat format() {
      return sorting.format();
    }

    @Override
    public String method() {
      return sorting.method();
    }

    @Override
    public int workingBytesPerRecord() {
      return sorting.workingBytesPerRecord();
    }

    @Override
    public void sort(MemorySegment records) {
      sorting.sort(records);
    }

    @Override
    public void sort(MemorySegment records, MemorySegment sorted) {
      sorting.sort(records, sorted);
    }

    @Override
    public void sort(ResidentBytes records, long offset, long length) {
      HybridResidentBytes bytes = engine.resident(records);
      sorting.sort(bytes.on(part), offset, length);
      bytes.changed(part);
    }

    @Override
    public void argsort(MemorySegment records, MemorySegment order) {
      sorting.argsort(records, order);
    }

    @Override
    public void argsort(ResidentBytes records, long offset, long length, ResidentBytes order) {
      HybridResidentBytes indices = engine.resident(order);
      sorting.argsort(engine.resident(records).on(part), offset, length, indices.on(part));
      indices.changed(part);
    }
  }
}
