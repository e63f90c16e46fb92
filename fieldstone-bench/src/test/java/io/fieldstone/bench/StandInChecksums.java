package io.fieldstone.bench;

import io.fieldstone.engine.checksums.Checksums;
import io.fieldstone.engine.checksums.Division;
import io.fieldstone.engine.checksums.Divisor;
import java.util.List;
import java.util.Map;

/**
 * Divides on the cores under the names of the methods of a GPU; parameters behind an {@code @} are
 * ignored.
 *
 * @param cores divide
 */
record StandInChecksums(Checksums cores) implements Checksums {

  private static final Map<String, String> METHODS =
      Map.of(
          "auto", "auto",
          "pcrc", "parallel",
          "pcrc-reduction", "parallel",
          "pcrc-streams", "parallel",
          "folding", "slicing-16");

  @Override
  public List<String> methods(Divisor divisor) {
    return List.of("pcrc", "pcrc-reduction", "pcrc-streams", "folding");
  }

  @Override
  public Division division(Divisor divisor) {
    return cores.division(divisor);
  }

  @Override
  public Division division(Divisor divisor, String method) {
    String plain = method.replaceFirst("@.*", "");
    if (!METHODS.containsKey(plain)) {
      throw new IllegalArgumentException("no method '" + method + "'");
    }
    return cores.division(divisor, METHODS.getOrDefault(plain, plain));
  }
}
