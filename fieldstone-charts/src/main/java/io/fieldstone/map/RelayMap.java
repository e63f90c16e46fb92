package io.fieldstone.map;

import io.fieldstone.chart.Fonts;
import io.fieldstone.relays.Relay;
import io.fieldstone.relays.RelayPlan;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Draws the map of a network: sensors coloured by their component without relays, relays by kind,
 * links, and the range around a node.
 */
public final class RelayMap {

  private static final double WIDTH = 1000;
  private static final double EDGE = 20;
  private static final double TITLE = 44;
  private static final double TITLE_SIZE = 17;

  private static final int BLACK = 0x1A1A1A;
  private static final int GREY = 0x666666;
  private static final int PALE = 0xD8D8D8;
  private static final int WHITE = 0xFFFFFF;
  private static final int RED = 0xD40000;
  private static final int PURPLE = 0x5B2A86;
  private static final int TEAL = 0x00707A;
  private static final int HILLS = 0xC9B28F;

  /** The side of a cell of the contours, in pixels. */
  private static final double CELL = 6;

  /**
   * The colours of components, from the largest: distinguishable with colour blindness, and
   * different from those of relays.
   */
  private static final int[] COMPONENTS = {
    0x0072B2, 0xE69F00, 0x009E73, 0xCC79A7, 0x56B4E9, 0x8C6D31, 0x7A9A01, 0x3F3F9F
  };

  /** The radii of sensors and relays relative to their mean distance, and the bounds in pixels. */
  private static final double DOT_FRACTION = 0.16;

  private static final double MIN_DOT = 0.55;
  private static final double MAX_DOT = 4;
  private static final double SYMBOL_FRACTION = 0.18;
  private static final double MIN_SYMBOL = 1.6;
  private static final double MAX_SYMBOL = 8;
  private static final double LEGEND_SYMBOL = 6.5;

  private static final double DASH = 5;

  /** The maximum number of nodes with a title, which takes about 150 bytes of SVG. */
  private static final int MAX_TITLES = 20_000;

  /** The minimum radius of a title in pixels, which a pointer can hit. */
  private static final double MIN_TITLE = 3;

  /** The maximum length of the scale bar as a fraction of the map's width. */
  private static final double MAX_BAR_FRACTION = 0.2;

  private static final double METRES_PER_KILOMETRE = 1000;

  private final Network network;
  private final Frame frame;
  private final int[] colours;
  private final double dot;
  private final double symbol;
  private final List<Network.Sensor> sensors;
  private final Map<Relay.Kind, List<Network.Station>> relays;

  /** The contours of the hills, on a lattice of {@link #CELL} pixels; empty without hills. */
  private final Optional<Contours> contours;

  private RelayMap(Network network, Optional<Hills> hills) {
    this.network = network;
    this.frame = Frame.around(network, EDGE, TITLE, WIDTH - 2 * EDGE);
    this.sensors = nodesOf(network, Network.Sensor.class).toList();
    this.relays = new EnumMap<>(Relay.Kind.class);
    for (Relay.Kind kind : Relay.Kind.values()) {
      relays.put(
          kind,
          nodesOf(network, Network.Station.class)
              .filter(relay -> relay.relayKind() == kind)
              .toList());
    }
    this.colours = colours(network);
    this.dot = Math.clamp(DOT_FRACTION * frame.spacing(network.nodes().size()), MIN_DOT, MAX_DOT);
    int stations = network.nodes().size() - sensors.size();
    this.symbol = Math.clamp(SYMBOL_FRACTION * frame.spacing(stations), MIN_SYMBOL, MAX_SYMBOL);
    this.contours = hills.map(this::contours);
  }

  private Contours contours(Hills terrain) {
    int rows = (int) Math.ceil(frame.height() / CELL) + 1;
    int columns = (int) Math.ceil(frame.width() / CELL) + 1;
    double[] heights = new double[rows * columns];
    Arrays.setAll(
        heights,
        i ->
            terrain.height(
                frame.planeX(frame.left() + CELL * (i % columns)),
                frame.planeY(frame.top() + CELL * (i / columns))));
    return new Contours(rows, columns, heights);
  }

  /**
   * Returns the map as an SVG document.
   *
   * @param hills the terrain, whose contours are drawn
   */
  public static String svg(Network network, Optional<Hills> hills) {
    return SvgDrawing.of(new RelayMap(network, hills).drawing());
  }

  /**
   * Returns the map as a PNG file, without text if there are no {@link Fonts}; empty if the Java
   * runtime lacks the desktop module.
   */
  public static Optional<byte[]> png(Network network, Optional<Hills> hills) {
    return PngDrawing.of(new RelayMap(network, hills).drawing());
  }

  private static <T extends Network.Node> Stream<T> nodesOf(Network network, Class<T> type) {
    return network.nodes().stream().filter(type::isInstance).map(type::cast);
  }

  /** Returns the index of the colour of each component. */
  static int[] colours(Network network) {
    int[] sizes = new int[network.groups()];
    nodesOf(network, Network.Sensor.class).forEach(sensor -> sizes[sensor.group()]++);
    List<Integer> bySize =
        IntStream.range(0, sizes.length)
            .boxed()
            .sorted(Comparator.comparingInt(group -> -sizes[group]))
            .toList();
    int[] byGroup = new int[sizes.length];
    for (int rank = 0; rank < byGroup.length; rank++) {
      byGroup[bySize.get(rank)] = rank % COMPONENTS.length;
    }
    return byGroup;
  }

  private Drawing drawing() {
    List<Mark> marks = new ArrayList<>();
    marks.add(new Mark.Text(title(), EDGE, 0.65 * TITLE, TITLE_SIZE, true, BLACK));
    marks.add(
        new Mark.Clipped(frame.left(), frame.top(), frame.width(), frame.height(), mapMarks()));
    marks.add(
        new Mark.Stroked(
            new Outline().box(frame.left(), frame.top(), frame.width(), frame.height()),
            PALE,
            1,
            0));
    Legend legend = legend();
    marks.addAll(legend.marks());
    return new Drawing(WIDTH, legend.bottom() + EDGE / 2, marks);
  }

  private String title() {
    int stations = network.nodes().size() - sensors.size();
    return "%s and %s, range %s"
        .formatted(
            counted(sensors.size(), "sensor"), counted(stations, "relay"), length(network.range()));
  }

  private List<Mark> mapMarks() {
    List<Mark> marks = new ArrayList<>();
    contours.ifPresent(lines -> {
      Outline outline = new Outline();
      lines.forEach((row, column, otherRow, otherColumn) ->
          outline
              .move(frame.left() + CELL * column, frame.top() + CELL * row)
              .line(frame.left() + CELL * otherColumn, frame.top() + CELL * otherRow));
      marks.add(new Mark.Stroked(outline, HILLS, MIN_DOT, 0));
    });
    marks.addAll(links());
    Outline[] dots = outlines();
    for (Network.Sensor sensor : sensors) {
      dots[colours[sensor.group()]].dot(frame.x(sensor.x()), frame.y(sensor.y()));
    }
    for (int i = 0; i < dots.length; i++) {
      marks.add(new Mark.Stroked(dots[i], COMPONENTS[i], 2 * dot, 0));
    }
    Network.Node middle = centralNode();
    marks.add(
        new Mark.Stroked(
            new Outline()
                .circle(frame.x(middle.x()), frame.y(middle.y()), frame.scale() * network.range()),
            BLACK,
            1,
            DASH));
    // The rarest kinds are drawn last, on top.
    for (Relay.Kind kind :
        List.of(Relay.Kind.EXISTING, Relay.Kind.LINK, Relay.Kind.SITE, Relay.Kind.STAR)) {
      Outline outline = new Outline();
      for (Network.Station relay : relays.getOrDefault(kind, List.of())) {
        addSymbol(outline, kind, frame.x(relay.x()), frame.y(relay.y()), symbol);
      }
      marks.addAll(symbols(outline, kind, symbol));
    }
    marks.addAll(titles());
    return marks;
  }

  /** Returns the id and the kind of each node, unless there are too many of them. */
  private List<Mark> titles() {
    if (network.nodes().size() > MAX_TITLES) {
      return List.of();
    }
    List<Mark> titles = new ArrayList<>();
    for (Network.Node node : network.nodes()) {
      String text =
          switch (node) {
            case Network.Sensor sensor ->
                "sensor %s, component %d".formatted(node.place().id(), sensor.group() + 1);
            case Network.Station relay ->
                "%s, %s%s"
                    .formatted(
                        node.place().id(),
                        "relay " + placement(relay.relayKind()),
                        relay.site().map(site -> " " + site).orElse(""));
          };
      double radius = Math.max(node instanceof Network.Sensor ? dot : symbol, MIN_TITLE);
      titles.add(new Mark.Title(text, frame.x(node.x()), frame.y(node.y()), radius));
    }
    return titles;
  }

  /** Draws links between sensors in the colour of their component, links of relays in grey. */
  private List<Mark> links() {
    Outline[] ofSensors = outlines();
    Outline ofRelays = new Outline();
    for (RelayPlan.Link link : network.links()) {
      Network.Node from = network.nodes().get(link.from());
      Network.Node to = network.nodes().get(link.to());
      Outline outline =
          from instanceof Network.Sensor sensor && to instanceof Network.Sensor
              ? ofSensors[colours[sensor.group()]]
              : ofRelays;
      outline.move(frame.x(from.x()), frame.y(from.y())).line(frame.x(to.x()), frame.y(to.y()));
    }
    double width = Math.max(dot / 3, MIN_DOT / 2);
    List<Mark> marks = new ArrayList<>();
    for (int i = 0; i < ofSensors.length; i++) {
      marks.add(new Mark.Stroked(ofSensors[i], COMPONENTS[i], width, 0));
    }
    marks.add(new Mark.Stroked(ofRelays, GREY, width, 0));
    return marks;
  }

  private static Outline[] outlines() {
    Outline[] outlines = new Outline[COMPONENTS.length];
    Arrays.setAll(outlines, _ -> new Outline());
    return outlines;
  }

  /** Returns the node around which the range is drawn: the most central relay, or else sensor. */
  private Network.Node centralNode() {
    Comparator<Network.Node> nearest =
        Comparator.comparingDouble(
            node -> Math.hypot(node.x() - frame.middleX(), node.y() - frame.middleY()));
    return nodesOf(network, Network.Station.class)
        .map(Network.Node.class::cast)
        .min(nearest)
        .or(() -> network.nodes().stream().min(nearest))
        .orElseThrow();
  }

  private static void addSymbol(Outline outline, Relay.Kind kind, double x, double y, double size) {
    switch (kind) {
      case STAR -> outline.star(x, y, 1.25 * size, 0.55 * size, 5);
      case LINK ->
          outline.move(x, y - size).line(x + size, y).line(x, y + size).line(x - size, y).close();
      case SITE ->
          outline
              .move(x, y - size)
              .line(x + size, y + 0.8 * size)
              .line(x - size, y + 0.8 * size)
              .close();
      case EXISTING ->
          outline
              .move(x - 0.8 * size, y - 0.8 * size)
              .line(x + 0.8 * size, y - 0.8 * size)
              .line(x + 0.8 * size, y + 0.8 * size)
              .line(x - 0.8 * size, y + 0.8 * size)
              .close();
    }
  }

  /** Returns symbols with a white edge, which separates them from the marks below. */
  private static List<Mark> symbols(Outline outline, Relay.Kind kind, double size) {
    int colour =
        switch (kind) {
          case STAR -> RED;
          case LINK -> BLACK;
          case SITE -> PURPLE;
          case EXISTING -> TEAL;
        };
    return List.of(new Mark.Stroked(outline, WHITE, size / 3, 0), new Mark.Filled(outline, colour));
  }

  private Legend legend() {
    Legend legend = new Legend(EDGE, WIDTH - EDGE, frame.top() + frame.height() + EDGE / 2, BLACK);
    addSensors(legend);
    relays.forEach((kind, ofKind) -> {
      if (!ofKind.isEmpty()) {
        legend.add(
            counted(ofKind.size(), "relay") + " " + placement(kind),
            (x, y) -> {
              Outline outline = new Outline();
              addSymbol(outline, kind, x, y, LEGEND_SYMBOL);
              return symbols(outline, kind, LEGEND_SYMBOL);
            });
      }
    });
    legend.add(
        "range " + length(network.range()),
        (x, y) ->
            List.of(
                new Mark.Stroked(new Outline().circle(x, y, 1.2 * LEGEND_SYMBOL), BLACK, 1, 3)));
    contours.ifPresent(lines ->
        legend.add(
            "contours every " + length(lines.interval()),
            (x, y) ->
                List.of(
                    new Mark.Stroked(
                        new Outline().move(x - LEGEND_SYMBOL, y).line(x + LEGEND_SYMBOL, y),
                        HILLS,
                        1.2,
                        0))));
    addScaleBar(legend);
    return legend;
  }

  private void addSensors(Legend legend) {
    int shown = Math.min(COMPONENTS.length, network.groups());
    String each = shown == 1 ? "" : shown < network.groups() ? ", in 8 colours" : ", a colour each";
    String text =
        "%s in %s%s"
            .formatted(
                counted(sensors.size(), "sensor"), counted(network.groups(), "component"), each);
    legend.add(
        text,
        Math.max(3, shown) * 2.5 * MAX_DOT,
        (x, y) ->
            IntStream.range(0, shown)
                .mapToObj(i -> {
                  double at = x + 2.3 * MAX_DOT * (i - (shown - 1) / 2.0);
                  return (Mark)
                      new Mark.Stroked(new Outline().dot(at, y), COMPONENTS[i], 2 * MAX_DOT, 0);
                })
                .toList());
  }

  private void addScaleBar(Legend legend) {
    double longest = MAX_BAR_FRACTION * frame.width() / frame.scale();
    double power = Math.pow(10, Math.floor(Math.log10(longest)));
    double units = power * (longest >= 5 * power ? 5 : longest >= 2 * power ? 2 : 1);
    double width = units * frame.scale();
    double tick = 4;
    legend.add(
        length(units),
        width + 2 * tick,
        (x, y) ->
            List.of(
                new Mark.Stroked(
                    new Outline()
                        .move(x - width / 2, y - tick)
                        .line(x - width / 2, y + tick)
                        .move(x - width / 2, y)
                        .line(x + width / 2, y)
                        .move(x + width / 2, y - tick)
                        .line(x + width / 2, y + tick),
                    BLACK,
                    1.5,
                    0)));
  }

  private static String placement(Relay.Kind kind) {
    return switch (kind) {
      case STAR -> "joining three or more";
      case LINK -> "along a line";
      case SITE -> "on sites";
      case EXISTING -> "that exist";
    };
  }

  private static String counted(int count, String noun) {
    return String.format(Locale.ROOT, "%,d %s%s", count, noun, count == 1 ? "" : "s");
  }

  /** Formats a length, with its unit if that is known. */
  private String length(double units) {
    if (network.coordinates() == Coordinates.PLANAR) {
      return number(units);
    }
    return units >= METRES_PER_KILOMETRE
        ? number(units / METRES_PER_KILOMETRE) + " km"
        : number(units) + " m";
  }

  /** Formats a number with at most five significant digits. */
  private static String number(double value) {
    BigDecimal rounded = new BigDecimal(value, new MathContext(5)).stripTrailingZeros();
    boolean isPlain = Math.abs(rounded.precision() - rounded.scale()) <= 9;
    return isPlain ? rounded.toPlainString() : rounded.toString();
  }
}
