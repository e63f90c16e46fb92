package io.fieldstone.bench;

import io.fieldstone.engine.memory.Phase;
import io.fieldstone.engine.memory.PhaseListener;
import io.fieldstone.engine.memory.ResidentBytes;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.Sorting;
import io.fieldstone.engine.sorting.Sorts;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;

/**
 * Sorts on the cores under the names of the methods of a GPU, and reports phases of each call.
 *
 * @param cores sort
 * @param phases receives the phases
 */
record StandInSorts(Sorts cores, PhaseListener phases) implements Sorts {

  private static final Map<String, String> METHODS =
      Map.of("radix-16", "lsd", "serial", "lsd", "streamed", "msd-lsd");

  @Override
  public List<String> methods(RecordFormat format) {
    return List.of("radix-16", "serial", "streamed");
  }

  @Override
  public Sorting sorting(RecordFormat format) {
    return new Reporting(cores.sorting(format), "auto");
  }

  @Override
  public Sorting sorting(RecordFormat format, String method) {
    if (!METHODS.containsKey(method)) {
      throw new IllegalArgumentException("no method '" + method + "'");
    }
    return new Reporting(cores.sorting(format, METHODS.getOrDefault(method, method)), method);
  }

  private final class Reporting implements Sorting {
    private final Sorting sorting;
    private final String method;

    Reporting(Sorting sorting, String method) {
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

    private void report(String phase, Runnable work) {
      long start = System.nanoTime();
      work.run();
      phases.onPhase(new Phase("stand:0", phase, start, System.nanoTime(), 0));
    }

    private void report(Runnable work) {
      report("sort", work);
    }

    @Override
    public void sort(MemorySegment records) {
      report(() -> sorting.sort(records));
    }

    @Override
    public void sort(MemorySegment records, MemorySegment sorted) {
      report("upload", () -> sorted.copyFrom(records));
      report(() -> sorting.sort(sorted));
      report("download", () -> sorted.copyFrom(sorted));
    }

    @Override
    public void sort(ResidentBytes records, long offset, long length) {
      report(() -> sorting.sort(records, offset, length));
    }

    @Override
    public void argsort(MemorySegment records, MemorySegment order) {
      report(() -> sorting.argsort(records, order));
    }

    @Override
    public void argsort(ResidentBytes records, long offset, long length, ResidentBytes order) {
      report(() -> sorting.argsort(records, offset, length, order));
    }
  }
}
