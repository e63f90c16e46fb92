package io.fieldstone.cpu.checksums;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.checksums.Checksums;
import io.fieldstone.engine.checksums.Division;
import io.fieldstone.engine.checksums.Divisor;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Implements the checksum port; the tables of each divisor and method are made once. */
public final class CpuChecksums implements Checksums {

  private final Engine engine;
  private final TaskPool workers;
  private final DivisionMethods methods;
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

  public CpuChecksums(Engine engine, DivisionMethods methods, TaskPool workers) {
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
    return division(divisor, Methods.AUTO);
  }

  @Override
  public Division division(Divisor divisor, String method) {
    Key key = new Key(divisor, method);
    CpuDivision known = divisions.get(key);
    return known != null ? known : make(key);
  }

  private synchronized Division make(Key key) {
    CpuDivision made = divisions.get(key);
    if (made == null) {
      RemainderKernel kernel =
          key.method().equals(Methods.AUTO)
              ? methods.chosen(key.divisor())
              : kernel(key.divisor(), key.method());
      made = new CpuDivision(engine, workers, key.divisor(), key.method(), kernel);
      divisions.put(key, made);
    }
    return made;
  }

  private RemainderKernel kernel(Divisor divisor, String method) {
    Methods.require(method, divisor + " on " + engine.spec(), methods(divisor));
    return methods.kernel(divisor, method).orElseThrow();
  }

  /** Ends background work of the kernels. */
  public void close() {
    divisions.values().forEach(division -> division.kernel().close());
  }
}
