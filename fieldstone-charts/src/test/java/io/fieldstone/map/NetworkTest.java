package io.fieldstone.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.fieldstone.engine.Engine;
import io.fieldstone.relays.Equipment;
import io.fieldstone.relays.PlanMethod;
import io.fieldstone.relays.RelayPlan;
import io.fieldstone.relays.RelayPlanner;
import io.fieldstone.relays.SensorField;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Networks that are made of plans alone, as applications do. */
class NetworkTest {

  private static final double NONE = Double.NaN;

  @Test
  void aPlanInDegreesIsWrittenInDegrees() {
    double[] latitudes = {50, 50};
    double[] longitudes = {8, 8.02};
    SensorField field =
        SensorField.geographic(List.of("a", "b"), latitudes, longitudes)
            .equipped(Equipment.of(new double[0], new double[] {NONE, 12}, new double[0]));
    try (Engine engine = Engine.open("cpu:scalar")) {
      RelayPlan plan = new RelayPlanner(engine, field, 800).plan(PlanMethod.BEST_STARS);
      Network network = Network.of(plan, plan.links(engine));
      assertThat(network.coordinates()).isEqualTo(Coordinates.DEGREES);
      assertThat(network.nodes()).hasSize(3);
      assertThat(network.nodes().get(1).place().own().height()).isEqualTo(12);

      JsonNode json = JsonMapper.shared().readTree(PlanGeoJson.text(network));
      JsonNode features = json.path("features");
      assertThat(features).hasSize(5);
      assertThat(features.get(2).path("id").asString()).isEqualTo("relay-1");
      assertThat(features.get(2).path("properties").path("kind").asString()).isEqualTo("link");
      JsonNode place = features.get(2).path("geometry").path("coordinates");
      assertThat(place.get(0).asDouble()).isCloseTo(8.01, within(1e-6));
      assertThat(place.get(1).asDouble()).isCloseTo(50, within(1e-5));
      assertThat(RelayMap.svg(network, Optional.empty()))
          .contains("2 sensors and 1 relay, range 800 m");
    }
  }

  @Test
  void aPlanInAPlaneKeepsItsCoordinates() {
    try (Engine engine = Engine.open("cpu:scalar")) {
      SensorField field =
          SensorField.planar(List.of("a", "b"), new double[] {0, 3}, new double[] {1, 1});
      RelayPlan plan = new RelayPlanner(engine, field, 2).plan(PlanMethod.BEST_STARS);
      Network network = Network.of(plan, List.of());
      String csv = new String(PlanCsv.of(network, 1).getFirst(), StandardCharsets.UTF_8);
      assertThat(csv)
          .isEqualTo(
              """
              id,kind,x,y,component,site
              a,sensor,0,1,1,
              b,sensor,3,1,2,
              relay-1,link,1.5,1,,
              """);
      assertThatIllegalArgumentException()
          .isThrownBy(() ->
              Network.of(List.of(new Place("a", 0, 1)), List.of(), List.of(), plan, List.of()))
          .withMessage("1 sensors for a plan of 2");
    }
  }
}
