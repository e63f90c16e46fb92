package io.fieldstone.cli.console;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Methods;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The values of an option {@code --method}, for completion: {@code auto}, and the methods of the
 * cores and of the first GPU. They are listed only on request, because that opens the engines.
 */
public abstract class MethodNames implements Iterable<String> {

  private final Function<Engine, List<String>> methods;

  /**
   * @param methods returns the methods of an engine
   */
  protected MethodNames(Function<Engine, List<String>> methods) {
    this.methods = methods;
  }

  @Override
  public final Iterator<String> iterator() {
    Set<String> names = new LinkedHashSet<>();
    names.add(Methods.AUTO);
    for (String spec : List.of("cpu", "auto")) {
      try (Engine engine = Engine.open(spec)) {
        names.addAll(methods.apply(engine));
      }
    }
    return names.iterator();
  }
}
