package io.fieldstone.cli.sensors;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.StringWriter;

/** Formats plans as CSV: a row for each sensor, then for each relay. */
public final class PlanCsv {

  private PlanCsv() {}

  /** Returns the CSV text with a header. */
  public static String of(Network network) {
    StringWriter text = new StringWriter();
    CsvWriter csv = CsvWriter.builder().lineDelimiter(LineDelimiter.LF).bufferSize(0).build(text);
    boolean isPlanar = network.coordinates() == Coordinates.PLANAR;
    csv.writeRecord(
        "id", "kind", isPlanar ? "x" : "lat", isPlanar ? "y" : "lon", "component", "site");
    for (Network.Node node : network.nodes()) {
      Place place = node.place();
      String first = Numbers.text(place.first());
      String second = Numbers.text(place.second());
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
}
