package io.fieldstone.cpu;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.Checksums;
import io.fieldstone.engine.Division;
import io.fieldstone.engine.Divisor;
import io.fieldstone.engine.Engine;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Makes the tables of each divisor and method once, and keeps them. */
final class CpuChecksums implements Checksums {

  private final Engine engine;
  private final TaskPool workers;
  private final DivisionMethods methods;
  private final Map<Key, CpuDivision> divisions = new ConcurrentHashMap<>();

  private record Key(Divisor divisor, String method) {}

  CpuChecksums(Engine engine, DivisionMethods methods, TaskPool workers) {
    this.engine = engine;
    this.workers = workers;
    this.methods = methods;
  }

  @Override
  public List<String> methods(Divisor divisor) {
    return methods.names(divisor);
  }

  @Override
  public Division division(Divisor divisor) {
    return divisions.computeIfAbsent(
        new Key(divisor, DivisionMethods.CHOSEN),
        key -> new CpuDivision(engine, workers, divisor, key.method(), methods.chosen().apply(divisor)));
  }

  @Override
  public Division division(Divisor divisor, String method) {
    if (method.equals(DivisionMethods.CHOSEN)) {
      return division(divisor);
    }
    return divisions.computeIfAbsent(
        new Key(divisor, method),
        _ -> new CpuDivision(engine, workers, divisor, method, kernel(divisor, method)));
  }

  private RemainderKernel kernel(Divisor divisor, String method) {
    return methods
        .kernel(divisor, method)
        .orElseThrow(() ->
            new IllegalArgumentException(
                "no method '%s' for %s on %s; there are: %s"
                    .formatted(
                        method, divisor, engine.spec(), String.join(", ", methods(divisor)))));
  }

  /** Ends what goes on behind the kernels. */
  void close() {
    divisions.values().forEach(division -> division.kernel().close());
  }
}
