package io.fieldstone.cli.sensors;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.chart.drawing.DecimalText;
import io.fieldstone.map.Coordinates;
import io.fieldstone.map.Place;
import io.fieldstone.map.Quantity;
import io.fieldstone.testing.Replay;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Lists of sensors, CSV and GeoJSON: written as CSV, they are read as the same. */
public class PlaceReaderFuzzTest {

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    if (data.length == 0) {
      return;
    }
    Coordinates geoJson = (data[0] & 1) == 0 ? Coordinates.DEGREES : Coordinates.PLANAR;
    Optional<Columns> columns =
        (data[0] & 2) == 0 ? Optional.empty() : Optional.of(new Columns("a", "b"));
    try {
      PlaceList list =
          new PlaceReader(
                  ListFormat.of(geoJson).withColumns(columns), PlaceReaderFuzzTest::requireLine)
              .read("file", Arrays.copyOfRange(data, 1, data.length));
      assertThat(list.places()).isNotEmpty();
      assertThat(list.places().size()).isLessThanOrEqualTo(data.length);
      byte[] csv = csv(list).getBytes(StandardCharsets.UTF_8);
      assertThat(new PlaceReader(ListFormat.of(geoJson), _ -> {}).read("file", csv))
          .isEqualTo(list);
      field(list);
    } catch (MalformedSensorsException e) {
      assertThat(e).hasMessageContaining("file");
    }
  }

  private static void requireLine(String hint) {
    assertThat(hint).contains(": file");
  }

  private static String csv(PlaceList list) {
    boolean isPlanar = list.coordinates() == Coordinates.PLANAR;
    StringBuilder csv = new StringBuilder(isPlanar ? "id,x,y,kind" : "id,lon,lat,kind");
    csv.append(",range,height,cost\n");
    for (Place place : list.places()) {
      csv.append('"').append(place.id().replace("\"", "\"\"")).append("\",");
      csv.append(DecimalText.of(place.first())).append(',').append(DecimalText.of(place.second()));
      csv.append(",\"").append(place.kind().replace("\"", "\"\"")).append('"');
      for (Quantity quantity : Quantity.values()) {
        double value = place.own().get(quantity);
        csv.append(',').append(Double.isNaN(value) ? "" : DecimalText.of(value));
      }
      csv.append('\n');
    }
    return csv.toString();
  }

  /** Places may still be too far from each other. */
  private static void field(PlaceList list) {
    try {
      assertThat(list.field().size()).isEqualTo(list.places().size());
    } catch (MalformedSensorsException e) {
      assertThat(e).hasMessageContaining("file");
    }
  }

  @Test
  void replays() throws Exception {
    Replay.run(PlaceReaderFuzzTest.class, PlaceReaderFuzzTest::fuzzerTestOneInput);
  }
}
