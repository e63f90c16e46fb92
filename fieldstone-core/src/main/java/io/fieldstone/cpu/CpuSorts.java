package io.fieldstone.cpu;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.RecordFormat;
import io.fieldstone.engine.Sorting;
import io.fieldstone.engine.Sorts;
import java.util.List;

/** The sorting port: a kernel for each format and method. */
final class CpuSorts implements Sorts, AutoCloseable {

  private final Engine engine;
  private final SortMethods methods;
  private final TaskPool workers;
  private final SortMemory memory = new SortMemory();

  CpuSorts(Engine engine, SortMethods methods, TaskPool workers) {
    this.engine = engine;
    this.methods = methods;
    this.workers = workers;
  }

  @Override
  public List<String> methods(RecordFormat format) {
    return methods.named().stream().map(SortMethod::name).toList();
  }

  @Override
  public Sorting sorting(RecordFormat format) {
    return sorting(format, Methods.AUTO, methods.preferred());
  }

  @Override
  public Sorting sorting(RecordFormat format, String method) {
    Methods.require(method, format + " on " + engine.spec(), methods(format));
    SortMethod known =
        methods.named().stream().filter(each -> each.name().equals(method)).findFirst().orElseThrow();
    return sorting(format, method, known);
  }

  private Sorting sorting(RecordFormat format, String name, SortMethod method) {
    return new CpuSorting(engine, format, name, method.kernels().of(format, workers, memory));
  }

  @Override
  public void close() {
    memory.close();
  }
}
