package io.fieldstone.net.dashboard;

import java.lang.reflect.RecordComponent;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The numbers of {@code /metrics} and {@code /status}.
 *
 * @param prefix the beginning of the names of metrics
 * @param gauges the components of the record that do not only grow
 * @param status gives the record, whose components are numbers or boolean
 */
public record Metrics(String prefix, Set<String> gauges, Supplier<? extends Record> status) {

  /** Copies the set. */
  public Metrics {
    gauges = Set.copyOf(gauges);
  }

  /** Returns the numbers as text of Prometheus. */
  String text() {
    Record values = status.get();
    StringBuilder text = new StringBuilder();
    for (RecordComponent each : JsonText.components(values)) {
      boolean isGauge = gauges.contains(each.getName());
      String snake = each.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
      String name = prefix + snake + (isGauge ? "" : "_total");
      Object value = JsonText.get(each, values);
      text.append("# TYPE %s %s\n".formatted(name, isGauge ? "gauge" : "counter"));
      text.append("%s %s\n".formatted(name, value instanceof Boolean flag ? flag ? 1 : 0 : value));
    }
    return text.toString();
  }

  /** Returns the numbers as a JSON object. */
  String json() {
    return JsonText.of(status.get()) + "\n";
  }
}
