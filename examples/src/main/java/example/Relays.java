package example;

// page begin
import io.fieldstone.engine.Engine;
import io.fieldstone.relays.PlanMethod;
import io.fieldstone.relays.RelayPlanner;
import io.fieldstone.relays.SensorField;
import java.util.List;

final class Relays {

  private Relays() {}

  // example begin
  static int relaysFor(Engine engine, List<String> names, double[] x, double[] y, double range) {
    SensorField field = SensorField.planar(names, x, y);
    return new RelayPlanner(engine, field, range).plan(PlanMethod.BEST_STARS).relays().size();
  }
  // example end
}
// page end
