package io.fieldstone.cpu;

import io.fieldstone.engine.StarField;
import io.fieldstone.engine.StarSearch;
import io.fieldstone.engine.Stars;
import java.util.List;
import java.util.stream.Collectors;

/** Searches for 3-stars by the methods of an engine. */
final class CpuStars implements Stars {

  private final String spec;
  private final List<StarMethod> methods;
  private final Workers workers;

  /**
   * The port.
   *
   * @param methods that there are, the plainest first and the one to choose last
   */
  CpuStars(String spec, List<StarMethod> methods, Workers workers) {
    this.spec = spec;
    this.methods = methods;
    this.workers = workers;
  }

  @Override
  public List<String> methods(StarField field) {
    return methods.stream().map(StarMethod::name).toList();
  }

  @Override
  public StarSearch search(StarField field) {
    return methods.getLast().searches().apply(field, workers);
  }

  @Override
  public StarSearch search(StarField field, String method) {
    return methods.stream()
        .filter(each -> each.name().equals(method))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "no method '%s' for 3-stars on %s; there are: %s"
                    .formatted(
                        method,
                        spec,
                        methods.stream().map(StarMethod::name).collect(Collectors.joining(", ")))))
        .searches()
        .apply(field, workers);
  }
}
