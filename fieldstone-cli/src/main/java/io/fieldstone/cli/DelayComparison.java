package io.fieldstone.cli;

import io.fieldstone.chart.Chart;
import io.fieldstone.cli.coding.ShardText;
import io.fieldstone.cli.console.TextTable;
import io.fieldstone.cli.console.Units;
import io.fieldstone.cli.demo.DelayReport;
import io.fieldstone.cli.demo.DelaySettings;
import io.fieldstone.cli.demo.DelayTrial;
import io.fieldstone.engine.Engine;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The delay of frames by a sliding window, by the pipeline code and by whole generations, as {@code
 * demo --delay} shows it.
 */
record DelayComparison(
    DelaySettings settings, DelayReport window, DelayReport pipeline, DelayReport whole) {

  /** The minimum delay in a chart, whose axis is logarithmic. */
  private static final double MIN_DRAWN = 0.1;

  /** Sends the same frames in each way; the same packets are lost. */
  static DelayComparison of(Engine engine, DelaySettings settings) {
    return new DelayComparison(
        settings,
        DelayTrial.window(engine, settings),
        DelayTrial.pipeline(engine, settings),
        DelayTrial.wholeGenerations(engine, settings));
  }

  /** The result as {@code --json} prints it. */
  record Result(
      int framesOfGeneration,
      int generations,
      double loss,
      double redundancy,
      Delay window,
      Delay pipeline,
      Delay wholeGenerations) {}

  /** The delays of one way, in the time between two frames. */
  record Delay(double mean, double median, double p99, double max, long lost) {
    static Delay of(DelayReport report) {
      return new Delay(
          report.mean(),
          report.quantile(0.5),
          report.quantile(0.99),
          report.quantile(1),
          report.lost());
    }
  }

  Result result() {
    return new Result(
        settings.frames(),
        settings.generations(),
        settings.loss(),
        settings.redundancy(),
        Delay.of(window),
        Delay.of(pipeline),
        Delay.of(whole));
  }

  String text() {
    TextTable table =
        new TextTable()
            .text("sent by")
            .number("mean")
            .number("median")
            .number("99 %")
            .number("max")
            .number("lost frames");
    addRow(table, "sliding window", window);
    addRow(table, "pipeline code", pipeline);
    addRow(table, "whole generations", whole);
    return """
    delay of each frame, in the time between two frames
    %s in %s of %d; %s%% of packets lost, redundancy %s%%

    %s\
    """
        .formatted(
            ShardText.plural(pipeline.frames(), "frame"),
            ShardText.plural(settings.generations(), "generation"),
            settings.frames(),
            Units.percent(settings.loss()),
            Units.percent(settings.redundancy()),
            table);
  }

  private static void addRow(TextTable table, String name, DelayReport report) {
    table.row(
        name,
        oneDecimal(report.mean()),
        oneDecimal(report.quantile(0.5)),
        oneDecimal(report.quantile(0.99)),
        oneDecimal(report.quantile(1)),
        Units.count(report.lost()));
  }

  private static String oneDecimal(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  Chart chart() {
    List<Double> positions =
        IntStream.rangeClosed(1, settings.frames()).mapToObj(i -> (double) i).toList();
    return new Chart.Lines(
        "delay",
        "Mean delay of frames, %s%% of packets lost".formatted(Units.percent(settings.loss())),
        "position of the frame in its generation",
        "delay, in the time between two frames (at least %s)".formatted(MIN_DRAWN),
        List.of(
            new Chart.Series("sliding window", positions, drawn(window), false),
            new Chart.Series("pipeline code", positions, drawn(pipeline), false),
            new Chart.Series("whole generations", positions, drawn(whole), false)));
  }

  private static List<Double> drawn(DelayReport report) {
    return report.byPosition().stream().map(delay -> Math.max(MIN_DRAWN, delay)).toList();
  }
}
