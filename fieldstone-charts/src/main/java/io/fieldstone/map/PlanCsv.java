package io.fieldstone.map;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import io.fieldstone.chart.drawing.DecimalText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Formats plans as CSV: a row for each sensor, then for each relay. */
public final class PlanCsv {

  /** The inverse of the precision of converted coordinates: a micrometre, if they are metres. */
  private static final double UNITS = 1e6;

  private PlanCsv() {}

  /** A plane to which degrees are converted, such as that of a projection. */
  @FunctionalInterface
  public interface Plane {

    /** Returns x and y of a place. */
    double[] fromDegrees(double longitude, double latitude);
  }

  /**
   * Returns the parts of the CSV text with a header, in UTF-8.
   *
   * @param threads the maximum number of threads
   */
  public static List<byte[]> of(Network network, int threads) {
    return of(network, Optional.empty(), threads);
  }

  /**
   * Returns the parts of the CSV text of a network in degrees, with coordinates in a plane.
   *
   * @param plane converts longitude and latitude to x and y; called by one thread
   */
  public static List<byte[]> of(Network network, Plane plane) {
    return of(network, Optional.of(plane), 1);
  }

  private static List<byte[]> of(Network network, Optional<Plane> plane, int threads) {
    boolean isPlanar = network.coordinates() == Coordinates.PLANAR || plane.isPresent();
    List<Quantity> quantities = network.quantities();
    return TextParts.of(
        network.nodes().size(),
        threads,
        (from, to, text) -> {
          CsvWriter csv =
              CsvWriter.builder().lineDelimiter(LineDelimiter.LF).bufferSize(0).build(text);
          if (from == 0) {
            List<String> header =
                new ArrayList<>(
                    List.of(
                        "id",
                        "kind",
                        isPlanar ? "x" : "lat",
                        isPlanar ? "y" : "lon",
                        "component",
                        "site"));
            quantities.forEach(quantity -> header.add(quantity.title()));
            csv.writeRecord(header);
          }
          write(network.nodes().subList(from, to), plane, isPlanar, quantities, csv);
        });
  }

  private static void write(
      List<Network.Node> nodes,
      Optional<Plane> plane,
      boolean isPlanar,
      List<Quantity> quantities,
      CsvWriter csv) {
    List<String> row = new ArrayList<>();
    for (Network.Node node : nodes) {
      Place place = node.place();
      double[] position = {place.first(), place.second()};
      if (plane.isPresent()) {
        position = plane.get().fromDegrees(place.first(), place.second());
        position[0] = rounded(position[0]);
        position[1] = rounded(position[1]);
      }
      String first = DecimalText.of(position[0]);
      String second = DecimalText.of(position[1]);
      row.clear();
      row.add(place.id());
      row.add(node.kind());
      row.add(isPlanar ? first : second);
      row.add(isPlanar ? second : first);
      row.add(node instanceof Network.Sensor sensor ? Integer.toString(sensor.group() + 1) : "");
      row.add(node instanceof Network.Station relay ? relay.site().orElse("") : "");
      for (Quantity quantity : quantities) {
        double value = place.own().get(quantity);
        row.add(Double.isNaN(value) ? "" : DecimalText.of(value));
      }
      csv.writeRecord(row);
    }
  }

  /** Rounds away the error of two conversions, so that sensors keep their coordinates. */
  private static double rounded(double coordinate) {
    return Math.rint(coordinate * UNITS) / UNITS;
  }
}
