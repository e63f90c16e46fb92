package io.fieldstone.hybrid;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.memory.ResidentBytes;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.RecordInput;
import io.fieldstone.engine.sorting.RecordOutput;
import io.fieldstone.engine.sorting.Sorting;
import io.fieldstone.engine.sorting.Sorts;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * Sorts on one part: the first that is not a CPU, or the first that has the named method. Several
 * GPUs gain little: two H200s sort 32-bit keys in 0.96 of the time of one.
 *
 * @param preferred part that sorts if no method is named
 */
record HybridSorts(HybridEngine engine, Engine preferred) implements Sorts {

  /** Returns the methods of all parts that sort. */
  @Override
  public List<String> methods(RecordFormat format) {
    return engine.parts().stream()
        .flatMap(part -> part.find(Sorts.class).stream())
        .flatMap(sorts -> sorts.methods(format).stream())
        .distinct()
        .toList();
  }

  @Override
  public Sorting sorting(RecordFormat format) {
    return new OnPart(engine, engine.parts().indexOf(preferred), preferred.sorts().sorting(format));
  }

  @Override
  public Sorting sorting(RecordFormat format, String method) {
    List<Engine> parts = engine.parts();
    for (int part = 0; part < parts.size(); part++) {
      Optional<Sorts> sorts = parts.get(part).find(Sorts.class);
      if (sorts.isPresent() && sorts.get().methods(format).contains(method)) {
        return new OnPart(engine, part, sorts.get().sorting(format, method));
      }
    }
    Methods.require(method, format + " on " + engine.spec(), methods(format));
    return sorting(format);
  }

  /** Sorts on one part. */
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
    public long minWorkingBytes(long records) {
      return sorting.minWorkingBytes(records);
    }

    @Override
    public Sorting withMemoryLimit(long workingBytes) {
      return new OnPart(engine, part, sorting.withMemoryLimit(workingBytes));
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
    public long minStreamingBytes(long records) {
      return sorting.minStreamingBytes(records);
    }

    @Override
    public boolean sort(long records, RecordInput input, RecordOutput output) {
      return sorting.sort(records, input, output);
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
