package io.fieldstone.relays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SensorFieldTest {

  @Test
  void namesInvalidSensors() {
    double[] zeros = new double[2];
    List<String> ids = List.of("a", "b");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SensorField.planar(List.of("a", "a"), zeros, zeros))
        .withMessageContaining("'a'")
        .withMessageContaining("0 and 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SensorField.planar(ids, new double[] {0, Double.NaN}, zeros))
        .withMessageContaining("'b': x is NaN");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SensorField.planar(ids, zeros, new double[] {1e16, 0}))
        .withMessageContaining("'a': y is 1.0E16");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SensorField.planar(ids, zeros, new double[1]))
        .withMessageContaining("2 ids for 2 and 1 coordinates");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SensorField.geographic(ids, new double[] {0, 91}, zeros))
        .withMessageContaining("'b': latitude is 91.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SensorField.geographic(ids, zeros, new double[] {361, 0}))
        .withMessageContaining("'a': longitude is 361.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SensorField.geographic(ids, zeros, new double[] {0, 40}))
        .withMessageContaining("2224 km");
  }

  /**
   * A minute of latitude is a nautical mile, 1852 m or nearly; so is one of longitude at the
   * equator.
   */
  @Test
  void projectsToMetres() {
    double minute = Projection.EARTH_RADIUS * Math.toRadians(1.0 / 60);
    SensorField north =
        SensorField.geographic(
            List.of("a", "b"), new double[] {47, 47 + 1.0 / 60}, new double[] {8, 8});
    assertThat(north.y(1) - north.y(0)).isCloseTo(minute, within(1e-6));
    SensorField dateLine =
        SensorField.geographic(
            List.of("a", "b"), new double[2], new double[] {180 - 1.0 / 120, -180 + 1.0 / 120});
    assertThat(dateLine.x(1) - dateLine.x(0)).isCloseTo(minute, within(1e-6));
    assertThat(SensorField.planar(List.of(), new double[0], new double[0]).projection()).isEmpty();
  }

  @Test
  void findsDegreesAgain() {
    SplittableRandom random = new SplittableRandom(4);
    for (int i = 0; i < 200; i++) {
      Projection projection =
          new Projection(random.nextDouble(-90, 90), random.nextDouble(-180, 180));
      double x = random.nextDouble(-1e6, 1e6);
      double y = random.nextDouble(-1e6, 1e6);
      Position position = projection.position(x, y);
      double[] place = projection.place(position.latitude(), position.longitude());
      assertThat(place[0]).isCloseTo(x, within(1e-5));
      assertThat(place[1]).isCloseTo(y, within(1e-5));
      assertThat(projection.distance(position.latitude(), position.longitude()))
          .isCloseTo(Math.hypot(x, y), within(1e-5));
    }
  }

  @Test
  void putsOtherPlacesAlongside() {
    SensorField field =
        SensorField.geographic(List.of("a", "b"), new double[] {47, 47.1}, new double[] {8, 8.1});
    SensorField sites = field.alongside(List.of("mast"), new double[] {47.1}, new double[] {8.1});
    assertThat(sites.x(0)).isEqualTo(field.x(1));
    assertThat(sites.y(0)).isEqualTo(field.y(1));
    assertThat(sites.id(0)).isEqualTo("mast");
  }
}
