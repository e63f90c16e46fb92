package io.fieldstone.map;

import io.fieldstone.relays.Position;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes the map of a network as one page for a browser, with zoom, search and layers. The page has
 * all that it needs inside. Its policy allows no request but for tiles, if the caller names them.
 */
public final class HtmlMap {

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final List<String> PLACEHOLDERS = List.of("{z}", "{x}", "{y}");

  /** The columns of the lattice of contours. */
  private static final int LATTICE = 150;

  /** Parts of a degree to which contours are rounded. */
  private static final double UNITS = 1e5;

  private HtmlMap() {}

  /** The source of background tiles, which the page requests. */
  public record Tiles(String template, String origin) {

    /**
     * Parses a template such as {@code https://tile.openstreetmap.org/{z}/{x}/{y}.png}.
     *
     * @throws IllegalArgumentException if it is no address of HTTPS or HTTP with the three
     *     placeholders
     */
    public static Tiles parse(String text) {
      if (!PLACEHOLDERS.stream().allMatch(text::contains)) {
        throw new IllegalArgumentException("'%s' lacks one of {z}, {x}, {y}".formatted(text));
      }
      URI uri;
      try {
        uri = URI.create(text.replaceAll("[{}]", ""));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("'%s' is no address".formatted(text), e);
      }
      String scheme = String.valueOf(uri.getScheme());
      if (!(scheme.equals("https") || scheme.equals("http"))
          || uri.getHost() == null
          || text.chars().anyMatch(c -> c <= ' ' || c > '~' || "\"'<>;,".indexOf(c) >= 0)) {
        throw new IllegalArgumentException("'%s' is no address of https".formatted(text));
      }
      return new Tiles(text, scheme + "://" + uri.getRawAuthority());
    }
  }

  /**
   * Returns the page.
   *
   * @param tiles background tiles in Web Mercator, for networks in degrees
   * @param hills the terrain, whose contours are drawn
   */
  public static String of(Network network, Optional<Tiles> tiles, Optional<Hills> hills) {
    String script = resource("map.js");
    String style = resource("map.css");
    String policy =
        "default-src 'none'; script-src 'sha256-%s'; style-src 'sha256-%s'; style-src-attr 'unsafe-inline'; img-src %s; base-uri 'none'; form-action 'none'"
            .formatted(digest(script), digest(style), tiles.map(Tiles::origin).orElse("'none'"));
    // The data comes last, since it may contain any text.
    return resource("map.html")
        .replace("@POLICY@", policy)
        .replace("@STYLE@", style)
        .replace("@SCRIPT@", script)
        .replace("@DATA@", data(network, tiles, hills));
  }

  /** Returns lines of contours as longitude and latitude of both ends, in one list. */
  private static void addContours(Map<String, Object> data, Network network, Hills hills) {
    Frame frame = Frame.around(network, 0, 0, LATTICE);
    int rows = (int) Math.ceil(frame.height()) + 1;
    int columns = (int) Math.ceil(frame.width()) + 1;
    double[] heights = new double[rows * columns];
    Arrays.setAll(
        heights,
        i -> hills.height(frame.planeX(i % columns), frame.planeY(Math.floorDiv(i, columns))));
    Contours contours = new Contours(rows, columns, heights);
    List<Double> lines = new ArrayList<>();
    contours.forEach((row, column, otherRow, otherColumn) -> {
      addPlace(lines, hills.projection().position(frame.planeX(column), frame.planeY(row)));
      addPlace(
          lines, hills.projection().position(frame.planeX(otherColumn), frame.planeY(otherRow)));
    });
    data.put("contours", lines);
    data.put("interval", contours.interval());
  }

  private static void addPlace(List<Double> lines, Position place) {
    lines.add(Math.rint(place.longitude() * UNITS) / UNITS);
    lines.add(Math.rint(place.latitude() * UNITS) / UNITS);
  }

  private static String data(Network network, Optional<Tiles> tiles, Optional<Hills> hills) {
    List<Object> nodes = new ArrayList<>();
    for (Network.Node node : network.nodes()) {
      int group = node instanceof Network.Sensor sensor ? sensor.group() : 0;
      String site = node instanceof Network.Station relay ? relay.site().orElse("") : "";
      nodes.add(
          List.of(
              node.place().id(),
              node.kind(),
              node.place().first(),
              node.place().second(),
              group,
              site));
    }
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("degrees", network.coordinates() == Coordinates.DEGREES);
    data.put("range", network.range());
    data.put("components", network.groups());
    data.put("colours", RelayMap.colours(network));
    data.put("tiles", tiles.map(Tiles::template).orElse(""));
    data.put(
        "credit",
        tiles
            .map(one ->
                one.origin().contains("openstreetmap")
                    ? "© OpenStreetMap contributors"
                    : "tiles: " + one.origin())
            .orElse(""));
    data.put("nodes", nodes);
    data.put(
        "links", network.links().stream().map(link -> new int[] {link.from(), link.to()}).toList());
    hills.ifPresent(terrain -> addContours(data, network, terrain));
    // No text of the data ends the element that it is in.
    return JSON.writeValueAsString(data)
        .replace("<", "\\u003c")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029");
  }

  private static String digest(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }

  private static String resource(String name) {
    try (InputStream in = HtmlMap.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("no resource " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
