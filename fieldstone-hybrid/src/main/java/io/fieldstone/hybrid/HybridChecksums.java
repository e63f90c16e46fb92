package io.fieldstone.hybrid;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.checksums.Checksums;
import io.fieldstone.engine.checksums.Division;
import io.fieldstone.engine.checksums.Divisor;
import java.util.List;

/** Divides messages on all parts. A named method runs on the first part that has it. */
final class HybridChecksums implements Checksums {

  private final HybridEngine engine;

  HybridChecksums(HybridEngine engine) {
    this.engine = engine;
  }

  /** Returns the methods of all parts. */
  @Override
  public List<String> methods(Divisor divisor) {
    return engine.parts().stream()
        .flatMap(part -> part.checksums().methods(divisor).stream())
        .distinct()
        .toList();
  }

  @Override
  public Division division(Divisor divisor) {
    return new HybridDivision(
        engine,
        divisor,
        engine.parts().stream().map(part -> part.checksums().division(divisor)).toList());
  }

  @Override
  public Division division(Divisor divisor, String method) {
    List<Engine> parts = engine.parts();
    for (int part = 0; part < parts.size(); part++) {
      Checksums checksums = parts.get(part).checksums();
      if (checksums.methods(divisor).contains(method)) {
        return new DivisionOnPart(engine, part, checksums.division(divisor, method));
      }
    }
    Methods.require(method, divisor + " on " + engine.spec(), methods(divisor));
    return division(divisor);
  }
}
