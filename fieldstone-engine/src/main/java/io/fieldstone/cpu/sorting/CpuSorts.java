package io.fieldstone.cpu.sorting;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.Sorting;
import io.fieldstone.engine.sorting.Sorts;
import java.util.List;

/** Implements the sorting port with a kernel for each format and method. */
public final class CpuSorts implements Sorts, AutoCloseable {

  private final Engine engine;
  private final SortMethods methods;
  private final TaskPool workers;
  private final SortMemory memory = new SortMemory();

  public CpuSorts(Engine engine, SortMethods methods, TaskPool workers) {
    this.engine = engine;
    this.methods = methods;
    this.workers = workers;
  }

  @Override
  public List<String> methods(RecordFormat format) {
    return methods.named().stream().map(CpuSortMethod::name).toList();
  }

  @Override
  public Sorting sorting(RecordFormat format) {
    return sorting(format, Methods.AUTO, methods.preferred());
  }

  @Override
  public Sorting sorting(RecordFormat format, String method) {
    Methods.require(method, format + " on " + engine.spec(), methods(format));
    CpuSortMethod known =
        methods.named().stream()
            .filter(each -> each.name().equals(method))
            .findFirst()
            .orElseThrow();
    return sorting(format, method, known);
  }

  private Sorting sorting(RecordFormat format, String name, CpuSortMethod method) {
    return new CpuSorting(engine, format, name, method.kernels().of(format, workers, memory));
  }

  @Override
  public void close() {
    memory.close();
  }
}
