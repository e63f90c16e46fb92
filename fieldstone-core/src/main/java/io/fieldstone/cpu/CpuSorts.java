package io.fieldstone.cpu;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.RecordFormat;
import io.fieldstone.engine.Sorting;
import io.fieldstone.engine.Sorts;
import java.util.List;

/** The sorting port: a kernel for each format and method. */
final class CpuSorts implements Sorts, AutoCloseable {

  private final Engine engine;
  private final List<SortMethod> methods;
  private final SortMethod choice;
  private final TaskPool workers;
  private final SortMemory memory = new SortMemory();

  /**
   * The port.
   *
   * @param methods that there are, the plainest first
   * @param choice if none is named
   */
  CpuSorts(Engine engine, List<SortMethod> methods, SortMethod choice, TaskPool workers) {
    this.engine = engine;
    this.methods = methods;
    this.choice = choice;
    this.workers = workers;
  }

  @Override
  public List<String> methods(RecordFormat format) {
    return methods.stream().map(SortMethod::name).toList();
  }

  @Override
  public Sorting sorting(RecordFormat format) {
    return sorting(format, choice);
  }

  @Override
  public Sorting sorting(RecordFormat format, String method) {
    SortMethod known =
        methods.stream()
            .filter(each -> each.name().equals(method))
            .findFirst()
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "no method '%s' for %s on %s; there are: %s"
                        .formatted(
                            method, format, engine.spec(), String.join(", ", methods(format)))));
    return sorting(format, known);
  }

  private Sorting sorting(RecordFormat format, SortMethod method) {
    return new CpuSorting(
        engine, format, method.name(), method.kernels().of(format, workers, memory));
  }

  @Override
  public void close() {
    memory.close();
  }
}
