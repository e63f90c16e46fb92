package io.fieldstone.bench.live;

import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Plot;
import io.fieldstone.bench.report.Table;
import io.fieldstone.chart.Chart;
import io.fieldstone.chart.SeriesBuilder;
import io.fieldstone.engine.Engine;
import io.fieldstone.net.impairment.Loss;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The delays of codes over windows, of codes over generations and of ARQ, in virtual time.
 *
 * @param engine codes
 * @param sources the sources of each stream
 */
record DelaySection(Engine engine, int sources) implements Section {

  private static final long SEED = 5;
  private static final List<Integer> GENERATIONS = List.of(10, 50);
  private static final List<Integer> DEADLINES = List.of(25, 50, 75, 100, 150, 200);
  private static final double PER_MILLION = 1e6;
  private static final double ROUND_TRIP_MILLIS =
      2 * DelaySimulation.ONE_WAY * DelaySimulation.SLOT_MILLIS;

  /** The chart is from 2 to 512 ms; its labels are powers of two. */
  private static final int CHART_OCTAVES = 8;

  private static final int POINTS_IN_OCTAVE = 4;

  /** A loss, and the repairs for each source that are sent in advance. */
  private record Condition(String name, Loss loss, List<Double> redundancies) {}

  private static final List<Condition> CONDITIONS =
      List.of(
          new Condition("1 %", Loss.random(0.01), List.of(0.05, 0.1)),
          new Condition("5 %", Loss.random(0.05), List.of(0.1, 0.2)),
          new Condition("10 %", Loss.random(0.1), List.of(0.2, 0.35)),
          new Condition("20 %", Loss.random(0.2), List.of(0.35, 0.5)),
          new Condition("5 %, runs of 8", Loss.bursts(0.05, 8), List.of(0.1, 0.2)));

  /** The condition of the chart, and its redundancy. */
  private static final int CHARTED = 1;

  private static final double CHARTED_REDUNDANCY = 0.2;

  private record Method(String name, double redundancy, Function<DelaySimulation, Scheme> scheme) {
    String text() {
      return redundancy == 0 ? name : name + ", +" + LiveStream.percent(redundancy);
    }
  }

  private List<Method> methods(Condition condition) {
    List<Method> methods = new ArrayList<>();
    methods.add(new Method("ARQ", 0, RetransmissionScheme::new));
    for (double redundancy : condition.redundancies) {
      for (int size : GENERATIONS) {
        methods.add(
            new Method(
                "generations of " + size,
                redundancy,
                simulation -> new BlockScheme(simulation, engine, size, redundancy)));
      }
      methods.add(
          new Method(
              "window",
              redundancy,
              simulation ->
                  new WindowScheme(simulation, engine, redundancy, condition.loss.mean())));
    }
    return methods;
  }

  @Override
  public int steps() {
    return CONDITIONS.stream().mapToInt(condition -> methods(condition).size()).sum();
  }

  @Override
  public List<Part> measure(Run run) {
    List<String> columns =
        new ArrayList<>(List.of("loss", "method", "repairs / source", "99 %, ms", "99.9 %, ms"));
    DEADLINES.forEach(deadline -> columns.add("later than %d ms, of 10^6".formatted(deadline)));
    Table.Builder table =
        Table.named(
            "delay",
            "Delay until a packet is known, beside that of the path",
            columns.toArray(String[]::new));
    List<Chart.Series> series = new ArrayList<>();
    int count = Math.max(run.blocks(sources) / 100, 1) * 100;
    for (Condition condition : CONDITIONS) {
      for (Method method : methods(condition)) {
        run.beginStep("loss %s: %s".formatted(condition.name, method.text()));
        Delays delays = simulate(condition.loss, method, count);
        table.row(row(condition, method, delays));
        boolean isCharted = method.redundancy == 0 || method.redundancy == CHARTED_REDUNDANCY;
        if (condition.equals(CONDITIONS.get(CHARTED)) && isCharted) {
          series.add(later(delays).series(method.text(), false));
        }
      }
    }
    return List.of(
        table
            .note(
                "%d packets of %d bytes at %.0f Mbit/s, one each %.1f ms; a round trip of %.1f ms."
                    .formatted(
                        count,
                        LiveStream.PACKET_BYTES,
                        LiveStream.MEGABITS,
                        DelaySimulation.SLOT_MILLIS,
                        ROUND_TRIP_MILLIS))
            .note(
                "Losses hit sources and repairs, and no reports. A sender knows a round trip after"
                    + " it sent a packet whether it arrived, and then sends what the receiver"
                    + " lacks: ARQ the packet, codes as many repairs.")
            .note(
                "The percentage is that of the repairs in advance; those that were asked for count"
                    + " in the next column. A packet later than a player's buffer is lost to it.")
            .build(),
        new Plot(
            new Chart.Lines(
                "delay",
                "Packets that are known later, at 5 % loss",
                "ms after the path's delay; a round trip is %.0f".formatted(ROUND_TRIP_MILLIS),
                "share of packets",
                series)));
  }

  private static Delays simulate(Loss loss, Method method, int count) {
    DelaySimulation simulation = new DelaySimulation(loss, count, SEED);
    try (Scheme scheme = method.scheme.apply(simulation)) {
      return simulation.run(scheme);
    }
  }

  private static List<Cell> row(Condition condition, Method method, Delays delays) {
    List<Cell> row =
        new ArrayList<>(
            List.of(
                Cell.of(condition.name),
                Cell.of(method.text()),
                Cell.of(delays.redundancy()),
                Cell.of(delays.percentile(0.99)),
                Cell.of(delays.percentile(0.999))));
    DEADLINES.forEach(
        deadline -> row.add(Cell.of(Math.rint(PER_MILLION * delays.laterThan(deadline)))));
    return row;
  }

  private static SeriesBuilder later(Delays delays) {
    SeriesBuilder line = new SeriesBuilder();
    for (int i = 0; i <= CHART_OCTAVES * POINTS_IN_OCTAVE; i++) {
      double millis = 2 * Math.pow(2, (double) i / POINTS_IN_OCTAVE);
      double share = delays.laterThan(millis);
      if (share > 0) {
        line.add(millis, share);
      }
    }
    return line;
  }
}
