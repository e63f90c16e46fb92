package io.fieldstone.cpu.stars;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarSearch;
import io.fieldstone.engine.stars.Stars;
import java.util.List;

/** Implements the 3-star port with the methods of an engine. */
public final class CpuStars implements Stars, AutoCloseable {

  private final String spec;
  private final List<StarMethod> methods;
  private final StarMethod fastest;
  private final TaskPool workers;
  private final Runnable onClose;

  public CpuStars(String spec, List<StarMethod> methods, TaskPool workers) {
    this.spec = spec;
    this.methods = methods;
    this.workers = workers;
    StarMethod last = methods.getLast();
    if (last.name().equals(StarMethod.LANES)) {
      VectorStars lanes = new VectorStars();
      this.fastest = StarMethod.pairs(last.name(), lanes::warmKernels);
      this.onClose = lanes::close;
    } else {
      this.fastest = last;
      this.onClose = () -> {};
    }
  }

  @Override
  public List<String> methods(StarField field) {
    return methods.stream().map(StarMethod::name).toList();
  }

  @Override
  public StarSearch search(StarField field) {
    return fastest.searches().apply(field, workers);
  }

  @Override
  public StarSearch search(StarField field, String method) {
    Methods.require(method, "3-stars on " + spec, methods(field));
    return methods.stream()
        .filter(each -> each.name().equals(method))
        .findFirst()
        .orElseThrow()
        .searches()
        .apply(field, workers);
  }

  @Override
  public void close() {
    onClose.run();
  }
}
