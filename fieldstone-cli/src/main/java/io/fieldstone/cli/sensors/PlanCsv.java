package io.fieldstone.cli.sensors;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.StringWriter;
import java.util.Optional;

/** Formats plans as CSV: a row for each sensor, then for each relay. */
public final class PlanCsv {

  /** The inverse of the precision of converted coordinates: a micrometre, if they are metres. */
  private static final double UNITS = 1e6;

  private PlanCsv() {}

  /**
   * Returns the CSV text with a header.
   *
   * @param crs the system of x and y in the list of sensors, to which the network's degrees are
   *     converted back; empty for degrees and for other planes
   */
  public static String of(Network network, Optional<ProjectedCrs> crs) {
    StringWriter text = new StringWriter();
    CsvWriter csv = CsvWriter.builder().lineDelimiter(LineDelimiter.LF).bufferSize(0).build(text);
    boolean isPlanar = network.coordinates() == Coordinates.PLANAR || crs.isPresent();
    csv.writeRecord(
        "id", "kind", isPlanar ? "x" : "lat", isPlanar ? "y" : "lon", "component", "site");
    for (Network.Node node : network.nodes()) {
      Place place = node.place();
      double[] position = {place.first(), place.second()};
      if (crs.isPresent()) {
        position = crs.get().fromDegrees(place.first(), place.second());
        position[0] = rounded(position[0]);
        position[1] = rounded(position[1]);
      }
      String first = Numbers.text(position[0]);
      String second = Numbers.text(position[1]);
      csv.writeRecord(
          place.id(),
          node.kind(),
          isPlanar ? first : second,
          isPlanar ? second : first,
          node instanceof Network.Sensor sensor ? Integer.toString(sensor.group() + 1) : "",
          node instanceof Network.Station relay ? relay.site().orElse("") : "");
    }
    return text.toString();
  }

  /** Rounds away the error of two conversions, so that sensors keep their coordinates. */
  private static double rounded(double coordinate) {
    return Math.rint(coordinate * UNITS) / UNITS;
  }
}
