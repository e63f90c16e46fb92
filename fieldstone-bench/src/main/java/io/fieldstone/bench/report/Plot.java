package io.fieldstone.bench.report;

import com.fasterxml.jackson.annotation.JsonValue;
import io.fieldstone.chart.Chart;

/** A chart as part of a report; in JSON, the chart itself. */
public record Plot(@JsonValue Chart chart) implements Part {

  @Override
  public String name() {
    return chart.name();
  }

  @Override
  public String title() {
    return chart.title();
  }
}
