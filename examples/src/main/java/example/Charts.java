package example;

// page begin
import io.fieldstone.chart.ErrorCurveChart;
import io.fieldstone.chart.PngCharts;
import io.fieldstone.engine.Engine;
import io.fieldstone.map.Network;
import io.fieldstone.map.PlanGeoJson;
import io.fieldstone.map.RelayMap;
import io.fieldstone.relays.RelayPlan;
import io.fieldstone.weights.ErrorCurve;
import io.fieldstone.weights.JointProgress;
import io.fieldstone.weights.JointRunner;
import io.fieldstone.weights.JointWeights;
import io.fieldstone.weights.codes.CodeFamily;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

final class Charts {

  private Charts() {}

  // example begin
  /** Writes a plan of relays for a geographic information system, and as a picture. */
  static void draw(Engine engine, RelayPlan plan, Path folder) throws IOException {
    Network network = Network.of(plan, plan.links(engine));
    Files.writeString(folder.resolve("plan.geojson"), PlanGeoJson.text(network));
    Files.writeString(folder.resolve("plan.svg"), RelayMap.svg(network, Optional.empty()));
  }

  // example end
  /** Writes the decoding errors of a code, such as {@code bch:15,5}, as figures and as a chart. */
  static void draw(Engine engine, String code, Path folder) throws IOException {
    JointWeights weights = JointWeights.of(CodeFamily.parse(code), engine);
    ErrorCurve curve =
        new ErrorCurve(
            weights.code(),
            JointRunner.of(weights, JointProgress.NONE).run(weights.plan(JointWeights.AUTO)));
    List<ErrorCurve.Point> points = curve.points(ErrorCurve.range(0.001, 0.1));
    Files.writeString(folder.resolve("curve.csv"), ErrorCurve.csv(points));
    Optional<byte[]> png = PngCharts.drawAll(List.of(ErrorCurveChart.of(curve, points)));
    if (png.isPresent()) { // this machine has fonts
      Files.write(folder.resolve("curve.png"), png.get());
    }
  }
}
// page end
