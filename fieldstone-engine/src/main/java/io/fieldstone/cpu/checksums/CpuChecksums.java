package io.fieldstone.cpu.checksums;

import io.fieldstone.concurrent.Lazy;
import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.checksums.Checksums;
import io.fieldstone.engine.checksums.Division;
import io.fieldstone.engine.checksums.Divisor;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Implements the checksum port; the tables of each divisor and method are made once. */
public final class CpuChecksums implements Checksums {

  private final Engine engine;
  private final TaskPool workers;
  private final Lazy<DivisionMethods> methods;
  private final Map<Key, CpuDivision> divisions = new ConcurrentHashMap<>();

  /** The methods are written out: the JVM would make them when the first checksum needs them. */
  private record Key(Divisor divisor, String method) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && divisor.equals(key.divisor) && method.equals(key.method);
    }

    @Override
    public int hashCode() {
      return 31 * divisor.hashCode() + method.hashCode();
    }
  }

  public CpuChecksums(Engine engine, Supplier<DivisionMethods> methods, TaskPool workers) {
    this.engine = engine;
    this.workers = workers;
    this.methods = new Lazy<>(methods);
  }

  @Override
  public List<String> methods(Divisor divisor) {
    return methods.get().names(divisor);
  }

  @Override
  public Division division(Divisor divisor) {
    return divisions.computeIfAbsent(
        new Key(divisor, Methods.AUTO),
        key ->
            new CpuDivision(
                engine, workers, divisor, key.method(), methods.get().chosen().apply(divisor)));
  }

  @Override
  public Division division(Divisor divisor, String method) {
    if (method.equals(Methods.AUTO)) {
      return division(divisor);
    }
    return divisions.computeIfAbsent(
        new Key(divisor, method),
        _ -> new CpuDivision(engine, workers, divisor, method, kernel(divisor, method)));
  }

  private RemainderKernel kernel(Divisor divisor, String method) {
    Methods.require(method, divisor + " on " + engine.spec(), methods(divisor));
    return methods.get().kernel(divisor, method).orElseThrow();
  }

  /** Ends background work of the kernels. */
  public void close() {
    divisions.values().forEach(division -> division.kernel().close());
  }
}
