package io.fieldstone.map;

import io.fieldstone.relays.RelayPlan;
import io.fieldstone.relays.terrain.Profile;
import io.fieldstone.relays.terrain.TerrainPlan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Draws the terrain along links: the ground, raised by the curvature of the earth, the line between
 * the antennas, and what must be clear around it.
 */
public final class ProfileChart {

  /** The maximum number of links; those with the least margins are drawn. */
  public static final int MAX_LINKS = 200;

  private static final double WIDTH = 1000;
  private static final double EDGE = 20;
  private static final double TITLE = 44;
  private static final double TITLE_SIZE = 17;
  private static final double TEXT_SIZE = 12;
  private static final double PANEL_WIDTH = 460;
  private static final double PANEL_HEIGHT = 150;
  private static final double CAPTION = 22;
  private static final int COLUMNS = 2;

  private static final int BLACK = 0x1A1A1A;
  private static final int GREY = 0xD8D8D8;
  private static final int GROUND = 0xC9B28F;
  private static final int ZONE = 0x56B4E9;
  private static final int LINE = 0x0072B2;

  private ProfileChart() {}

  /** Returns the profiles of a plan as an SVG document, those with the least margins first. */
  public static String svg(Network network, TerrainPlan plan) {
    List<Integer> order =
        IntStream.range(0, plan.links().size())
            .boxed()
            .sorted(
                Comparator.comparingDouble((Integer link) -> plan.profiles().get(link).margin()))
            .limit(MAX_LINKS)
            .toList();
    List<Mark> marks = new ArrayList<>();
    String title =
        order.size() < plan.links().size()
            ? "the %d of %,d links with the least margins"
            : "%d links, those with the least margins first";
    marks.add(
        new Mark.Text(
            String.format(Locale.ROOT, title, order.size(), plan.links().size()),
            EDGE,
            0.65 * TITLE,
            TITLE_SIZE,
            true,
            BLACK));
    for (int i = 0; i < order.size(); i++) {
      RelayPlan.Link link = plan.links().get(order.get(i));
      Profile profile = plan.profiles().get(order.get(i));
      double left = EDGE + i % COLUMNS * (PANEL_WIDTH + 2 * EDGE);
      double top = TITLE + (i - i % COLUMNS) / COLUMNS * (PANEL_HEIGHT + CAPTION + EDGE);
      String caption =
          "%s – %s, %s, %s"
              .formatted(
                  network.nodes().get(link.from()).place().id(),
                  network.nodes().get(link.to()).place().id(),
                  String.format(Locale.ROOT, "%.2f km", profile.length() / 1000),
                  profile.margin() < Float.POSITIVE_INFINITY
                      ? String.format(Locale.ROOT, "margin %.1f m", profile.margin())
                      : "next to each other");
      marks.add(new Mark.Text(caption, left, top + CAPTION - 7, TEXT_SIZE, false, BLACK));
      addPanel(marks, profile, left, top + CAPTION);
    }
    int rows = (order.size() + COLUMNS - 1) / COLUMNS;
    return SvgDrawing.of(
        new Drawing(WIDTH, TITLE + rows * (PANEL_HEIGHT + CAPTION + EDGE) + EDGE, marks));
  }

  private static void addPanel(List<Mark> marks, Profile profile, double left, double top) {
    float[] ground = profile.ground();
    float[] line = profile.line();
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < ground.length; i++) {
      low = Math.min(low, Math.min(ground[i], line[i] - profile.zone()[i]));
      high = Math.max(high, Math.max(ground[i], line[i] + profile.zone()[i]));
    }
    double span = Math.max(1, high - low);
    double bottom = low - 0.08 * span;
    double scale = PANEL_HEIGHT / (1.16 * span);
    double step = PANEL_WIDTH / (ground.length - 1);
    Outline hills = new Outline().move(left, top + PANEL_HEIGHT);
    Outline zone = new Outline();
    Outline sight = new Outline();
    for (int i = 0; i < ground.length; i++) {
      double x = left + step * i;
      hills.line(x, top + PANEL_HEIGHT - scale * (ground[i] - bottom));
      double y = top + PANEL_HEIGHT - scale * (line[i] - profile.zone()[i] - bottom);
      double at = top + PANEL_HEIGHT - scale * (line[i] - bottom);
      if (i == 0) {
        zone.move(x, y);
        sight.move(x, at);
      } else {
        zone.line(x, y);
        sight.line(x, at);
      }
    }
    hills.line(left + PANEL_WIDTH, top + PANEL_HEIGHT).close();
    marks.add(new Mark.Filled(hills, GROUND));
    marks.add(new Mark.Stroked(zone, ZONE, 1, 4));
    marks.add(new Mark.Stroked(sight, LINE, 1.5, 0));
    marks.add(
        new Mark.Stroked(new Outline().box(left, top, PANEL_WIDTH, PANEL_HEIGHT), GREY, 1, 0));
    marks.add(
        new Mark.Text(
            String.format(Locale.ROOT, "%.0f m", high),
            left + 4,
            top + TEXT_SIZE + 2,
            TEXT_SIZE - 1,
            false,
            BLACK));
    marks.add(
        new Mark.Text(
            String.format(Locale.ROOT, "%.0f m", low),
            left + 4,
            top + PANEL_HEIGHT - 4,
            TEXT_SIZE - 1,
            false,
            BLACK));
  }
}
