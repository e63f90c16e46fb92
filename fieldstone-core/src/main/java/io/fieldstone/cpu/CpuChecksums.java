package io.fieldstone.cpu;

import io.fieldstone.engine.Checksums;
import io.fieldstone.engine.Division;
import io.fieldstone.engine.Divisor;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Makes tables for each divisor and method once, and keeps them. */
final class CpuChecksums implements Checksums {

  private final CpuEngine engine;
  private final List<DivisionMethod> methods;
  private final Map<Divisor, Map<String, CpuDivision>> divisions = new ConcurrentHashMap<>();

  /**
   * The port.
   *
   * @param methods that there are, the plainest first and the one to choose last
   */
  CpuChecksums(CpuEngine engine, List<DivisionMethod> methods) {
    this.engine = engine;
    this.methods = methods;
  }

  @Override
  public List<String> methods(Divisor divisor) {
    return methods.stream()
        .filter(method -> method.divisors().test(divisor))
        .map(DivisionMethod::name)
        .toList();
  }

  @Override
  public Division division(Divisor divisor) {
    return division(divisor, methods(divisor).getLast());
  }

  @Override
  public Division division(Divisor divisor, String method) {
    DivisionMethod known =
        methods.stream()
            .filter(each -> each.name().equals(method) && each.divisors().test(divisor))
            .findFirst()
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "no method '%s' for %s on %s; there are: %s"
                        .formatted(
                            method,
                            divisor,
                            engine.spec(),
                            methods(divisor).stream().collect(Collectors.joining(", ")))));
    return divisions
        .computeIfAbsent(divisor, _ -> new ConcurrentHashMap<>())
        .computeIfAbsent(
            method, _ -> new CpuDivision(engine, divisor, method, known.kernels().apply(divisor)));
  }

  /** Ends what goes on behind the kernels. */
  void close() {
    divisions.values().stream()
        .flatMap(byMethod -> byMethod.values().stream())
        .forEach(division -> division.kernel().close());
  }
}
