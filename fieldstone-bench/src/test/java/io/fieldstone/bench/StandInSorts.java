package io.fieldstone.bench;

import io.fieldstone.engine.Phase;
import io.fieldstone.engine.PhaseListener;
import io.fieldstone.engine.RecordFormat;
import io.fieldstone.engine.ResidentBytes;
import io.fieldstone.engine.Sorting;
import io.fieldstone.engine.Sorts;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;

/**
 * The cores' sorting under the names of a GPU's methods, telling of it as a GPU does.
 *
 * @param cores sort
 * @param phases hears of every call
 */
record StandInSorts(Sorts cores, PhaseListener phases) implements Sorts {

  private static final Map<String, String> METHODS = Map.of("serial", "lsd", "streamed", "msd-lsd");

  @Override
  public List<String> methods(RecordFormat format) {
    return List.of("serial", "streamed");
  }

  @Override
  public Sorting sorting(RecordFormat format) {
    return new Told(cores.sorting(format), "auto");
  }

  @Override
  public Sorting sorting(RecordFormat format, String method) {
    if (!METHODS.containsKey(method)) {
      throw new IllegalArgumentException("no method '" + method + "'");
    }
    return new Told(cores.sorting(format, METHODS.getOrDefault(method, method)), method);
  }

  private final class Told implements Sorting {
    private final Sorting sorting;
    private final String method;

    Told(Sorting sorting, String method) {
      this.sorting = sorting;
      this.method = method;
    }

    @Override
    public RecordFormat format() {
      return sorting.format();
    }

    @Override
    public String method() {
      return method;
    }

    private void telling(Runnable work) {
      long start = System.nanoTime();
      work.run();
      phases.spent(new Phase("stand:0", "sort", start, System.nanoTime(), 0));
    }

    @Override
    public void sort(MemorySegment records) {
      telling(() -> sorting.sort(records));
    }

    @Override
    public void sort(MemorySegment records, MemorySegment sorted) {
      telling(() -> sorting.sort(records, sorted));
    }

    @Override
    public void sort(ResidentBytes records, long offset, long length) {
      telling(() -> sorting.sort(records, offset, length));
    }

    @Override
    public void argsort(MemorySegment records, MemorySegment order) {
      telling(() -> sorting.argsort(records, order));
    }

    @Override
    public void argsort(ResidentBytes records, long offset, long length, ResidentBytes order) {
      telling(() -> sorting.argsort(records, offset, length, order));
    }
  }
}
