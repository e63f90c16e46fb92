package io.fieldstone.hybrid;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.RecordFormat;
import io.fieldstone.engine.ResidentBytes;
import io.fieldstone.engine.Sorting;
import io.fieldstone.engine.Sorts;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Records in host memory shared by parts of about one speed ({@link SharedSorting}); what is
 * resident, and orders of records, by one part. A method by name is the first part's that has it.
 *
 * @param sharing parts that share; if there is one only, it sorts everything
 * @param dispatcher of those
 */
record HybridSorts(HybridEngine engine, List<Engine> sharing, Dispatcher dispatcher)
    implements Sorts {

  private static final String CHOSEN = "auto";

  /** Those of all parts. */
  @Override
  public List<String> methods(RecordFormat format) {
    return engine.parts().stream()
        .flatMap(part -> part.sorts().methods(format).stream())
        .distinct()
        .toList();
  }

  @Override
  public Sorting sorting(RecordFormat format) {
    List<Sorting> sortings = sharing.stream().map(part -> part.sorts().sorting(format)).toList();
    int first = engine.parts().indexOf(sharing.getFirst());
    Sorting alone = new OnPart(engine, first, sortings.getFirst());
    return sharing.size() == 1
        ? alone
        : new SharedSorting(
            engine,
            dispatcher,
            sharing,
            sortings,
            HybridEngine.isOnCores(sharing.getFirst()),
            alone);
  }

  @Override
  public Sorting sorting(RecordFormat format, String method) {
    List<Engine> parts = engine.parts();
    for (int part = 0; part < parts.size(); part++) {
      Sorts sorts = parts.get(part).sorts();
      if (sorts.methods(format).contains(method)) {
        return new OnPart(engine, part, sorts.sorting(format, method));
      }
    }
    if (method.equals(CHOSEN)) {
      return sorting(format);
    }
    throw new IllegalArgumentException(
        "no method '%s' for %s on %s; there are: %s"
            .formatted(method, format, engine.spec(), String.join(", ", methods(format))));
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
    public long leastWorkingBytes(long records) {
      return sorting.leastWorkingBytes(records);
    }

    @Override
    public Sorting within(long workingBytes) {
      return new OnPart(engine, part, sorting.within(workingBytes));
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
