package io.fieldstone.bench.report;

import io.fieldstone.chart.drawing.ChartStyle;
import io.fieldstone.chart.drawing.SvgDocument;
import io.fieldstone.engine.memory.Phase;
import java.awt.Color;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Draws a Gantt chart: a row for each place, an axis of milliseconds, and a colour for each kind of
 * work. Many phases would be too narrow to be seen, and make large documents. Then each column of a
 * row shows the shares of its time in which each kind of work was done, as heights.
 */
final class GanttSvg {

  private static final double NS_PER_MS = 1e6;
  private static final int LEFT = 150;
  private static final int RIGHT = 20;
  private static final int TOP = 70;
  private static final int BOTTOM = 45;
  private static final int ROW = 26;
  private static final int BAR = 18;
  private static final int LETTER = 7;
  private static final int TEXT = 12;
  private static final int LEGEND_TOP = 36;
  private static final int LEGEND_LINE = 18;

  /** The minimum width of a visible bar, in pixels. */
  private static final double MIN_WIDTH = 0.4;

  /** The maximum number of phases that are drawn one by one. */
  private static final int MAX_BARS = 1000;

  /** The width of a column of shares, in pixels. */
  private static final int COLUMN = 2;

  /** The units of a pixel in which shares are drawn, which keeps documents small. */
  private static final int SUBPIXELS = 10;

  /** The maximum number of marks on the axis. */
  private static final int MAX_MARKS = 10;

  private final Gantt chart;
  private final List<Phase> phases;
  private final Map<String, Integer> rows = new LinkedHashMap<>();
  private final Map<String, Color> colours = new LinkedHashMap<>();
  private final long start;
  private final double wholeMs;
  private final Map<String, LegendPlace> legend;
  private final int top;
  private final SvgDocument svg;

  private GanttSvg(Gantt chart) {
    this.chart = chart;
    this.phases = new ArrayList<>(chart.phases());
    long origin = phases.isEmpty() ? 0 : phases.getFirst().startNs();
    // Times of System.nanoTime may be negative, and compare only by their differences.
    phases.sort((a, b) -> Long.compare(a.startNs() - origin, b.startNs() - origin));
    this.start = phases.isEmpty() ? 0 : phases.getFirst().startNs();
    this.wholeMs = phases.stream().mapToDouble(this::endMs).max().orElse(1);
    for (Phase phase : phases) {
      rows.putIfAbsent(phase.track(), rows.size());
      colours.putIfAbsent(
          phase.name(),
          ChartStyle.MEASURED_COLOURS.get(colours.size() % ChartStyle.MEASURED_COLOURS.size()));
    }
    this.legend = legendPlaces();
    int lastLine = legend.values().stream().mapToInt(LegendPlace::line).max().orElse(0);
    this.top = TOP + lastLine * LEGEND_LINE;
    this.svg = SvgDocument.page(ChartStyle.WIDTH, height());
  }

  /** Draws the chart as an SVG document. */
  static String of(Gantt chart) {
    return new GanttSvg(chart).draw();
  }

  private int height() {
    return y(rows.size()) + BOTTOM;
  }

  private String draw() {
    svg.begin("g").with("font-size", TEXT);
    svg.begin("text")
        .with("x", ChartStyle.WIDTH / 2.0)
        .with("y", 22)
        .with("text-anchor", "middle")
        .with("font-size", 15)
        .with("font-weight", "bold")
        .words(chart.title())
        .end();
    legend();
    axis();
    rows.forEach((place, row) -> text(LEFT - 8, y(row) + BAR - 4, "end", place));
    if (drawsShares()) {
      rows.forEach(this::shares);
    } else {
      phases.forEach(this::bar);
    }
    return svg.finish();
  }

  private void legend() {
    legend.forEach((name, place) -> {
      int y = LEGEND_TOP + place.line() * LEGEND_LINE;
      rectangle(place.x(), y, TEXT, TEXT, colours.getOrDefault(name, Color.BLACK)).end();
      text(place.x() + TEXT + 5, y + TEXT - 1, "start", name);
    });
  }

  private record LegendPlace(int line, int x) {}

  /** Places the names of the legend in lines that are no wider than the chart. */
  private Map<String, LegendPlace> legendPlaces() {
    Map<String, LegendPlace> places = new LinkedHashMap<>();
    int line = 0;
    int x = LEFT;
    for (String name : colours.keySet()) {
      int width = 2 * TEXT + 10 + LETTER * name.length();
      if (x + width > ChartStyle.WIDTH - RIGHT && x > LEFT) {
        line++;
        x = LEFT;
      }
      places.put(name, new LegendPlace(line, x));
      x += width;
    }
    return places;
  }

  private void axis() {
    int bottom = y(rows.size());
    double step = step();
    for (int mark = 0; mark * step <= wholeMs; mark++) {
      double x = x(mark * step);
      svg.begin("line")
          .with("x1", x)
          .with("y1", top - 6)
          .with("x2", x)
          .with("y2", bottom)
          .with("stroke", "#dddddd")
          .end();
      text(x, bottom + 15, "middle", Cell.of(mark * step).text());
    }
    String unit = drawsShares() ? "ms; heights are shares of the time" : "ms";
    text(LEFT + width() / 2, bottom + 34, "middle", unit);
  }

  /** Returns the distance of two marks in milliseconds: 1, 2 or 5 times a power of ten. */
  private double step() {
    double minStep = wholeMs / MAX_MARKS;
    double power = Math.pow(10, Math.floor(Math.log10(minStep)));
    for (int factor : new int[] {1, 2, 5}) {
      if (factor * power >= minStep) {
        return factor * power;
      }
    }
    return 10 * power;
  }

  private void bar(Phase phase) {
    double from = x((phase.startNs() - start) / NS_PER_MS);
    double to = x(endMs(phase));
    String tooltip =
        "%s, %s: %s ms"
            .formatted(phase.track(), phase.name(), Cell.of(phase.durationNs() / NS_PER_MS).text());
    rectangle(
            from,
            y(rows.getOrDefault(phase.track(), 0)),
            Math.max(MIN_WIDTH, to - from),
            BAR,
            colours.getOrDefault(phase.name(), Color.BLACK))
        .begin("title")
        .words(tooltip)
        .end()
        .end();
  }

  private boolean drawsShares() {
    return phases.size() > MAX_BARS;
  }

  /** Draws the shares of each kind of work in a row, one above the other. */
  private void shares(String place, int row) {
    int columns = width() / COLUMN;
    double[] below = new double[columns];
    colours.forEach((name, colour) -> {
      double[] shares = new double[columns];
      double busyMs = 0;
      for (Phase phase : phases) {
        if (phase.track().equals(place) && phase.name().equals(name)) {
          addShares(phase, shares);
          busyMs += phase.durationNs() / NS_PER_MS;
        }
      }
      if (busyMs > 0) {
        svg.begin("path")
            .with("d", area(below, shares, y(row) + BAR))
            .with("fill", SvgDocument.colour(colour.getRGB()))
            .begin("title")
            .words("%s, %s: %s ms".formatted(place, name, Cell.of(busyMs).text()))
            .end()
            .end();
      }
    });
  }

  /** Adds the part of each column that a phase takes. */
  private void addShares(Phase phase, double[] shares) {
    double perMs = shares.length / Math.max(wholeMs, Double.MIN_NORMAL);
    double from = (phase.startNs() - start) / NS_PER_MS * perMs;
    double to = endMs(phase) * perMs;
    for (int column = (int) from; column < Math.min(to, shares.length); column++) {
      shares[column] += Math.min(to, column + 1) - Math.max(from, column);
    }
  }

  /**
   * Returns the outline of shares on top of others, and adds them to those.
   *
   * @param bottom the y of no share
   */
  private static String area(double[] below, double[] shares, int bottom) {
    StringBuilder outline = new StringBuilder("M" + LEFT + " " + bottom);
    long height = 0;
    for (int i = 0; i < 2 * shares.length; i++) {
      boolean isForth = i < shares.length;
      int column = isForth ? i : 2 * shares.length - 1 - i;
      double share = isForth ? below[column] + shares[column] : below[column];
      long next = Math.round(Math.min(1, share) * BAR * SUBPIXELS);
      if (next != height) {
        outline.append('v').append(SvgDocument.number((double) (height - next) / SUBPIXELS));
        height = next;
      }
      outline.append('h').append(isForth ? COLUMN : -COLUMN);
    }
    for (int column = 0; column < shares.length; column++) {
      below[column] += shares[column];
    }
    return outline.append('Z').toString();
  }

  /** Begins a rectangle. */
  private SvgDocument rectangle(double x, double y, double width, double height, Color colour) {
    return svg.begin("rect")
        .with("x", x)
        .with("y", y)
        .with("width", width)
        .with("height", height)
        .with("fill", SvgDocument.colour(colour.getRGB()));
  }

  private void text(double x, double y, String anchor, String words) {
    svg.begin("text").with("x", x).with("y", y).with("text-anchor", anchor).words(words).end();
  }

  private static int width() {
    return ChartStyle.WIDTH - LEFT - RIGHT;
  }

  private double x(double ms) {
    return LEFT + ms / Math.max(wholeMs, Double.MIN_NORMAL) * width();
  }

  private int y(int row) {
    return top + row * ROW;
  }

  private double endMs(Phase phase) {
    return (phase.endNs() - start) / NS_PER_MS;
  }
}
