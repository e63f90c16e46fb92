package io.fieldstone.cli.relays;

import io.fieldstone.cli.console.TextTable;
import io.fieldstone.cli.console.Units;
import io.fieldstone.cli.sensors.PlaceList;
import io.fieldstone.map.Coordinates;
import io.fieldstone.relays.Relay;
import io.fieldstone.relays.RelayPlan;
import io.fieldstone.relays.terrain.Profile;
import io.fieldstone.relays.terrain.TerrainPlan;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The result of {@code fieldstone relays}.
 *
 * @param sensors the input
 * @param range R, in metres for geographic coordinates
 * @param planned the plan, unless only stars are counted
 * @param counted the star count, unless it is turned off
 * @param engine a description of the engine
 */
record RelaysReport(
    PlaceList sensors,
    double range,
    Optional<Planned> planned,
    Optional<Counted> counted,
    String engine) {

  private static final double NS_PER_SECOND = 1e9;

  /**
   * A plan and the time it took.
   *
   * @param plainRelays the number of relays if none may fail
   * @param existing the number of existing relays, in the plan or not
   * @param connect 2 if any one relay may fail, else 1
   * @param terrain what was found in the terrain, if the plan is over terrain
   */
  record Planned(
      RelayPlan plan,
      int plainRelays,
      OptionalInt existing,
      int connect,
      double seconds,
      Optional<Terrain> terrain) {}

  /**
   * The figures of a plan over terrain.
   *
   * @param flatRelays the number of relays that would do over a plain
   * @param candidates the number of places for relays that were examined
   * @param linesOfSight the number of pairs of places that can be linked
   * @param leastMargin the least margin of a link of the plan in metres
   */
  record Terrain(int flatRelays, int candidates, int linesOfSight, float leastMargin) {

    static Terrain of(TerrainPlan plan) {
      float least = Float.MAX_VALUE;
      for (Profile profile : plan.profiles()) {
        least = Math.min(least, profile.margin());
      }
      return new Terrain(plan.flatRelays(), plan.candidates(), plan.pairs(), least);
    }
  }

  /**
   * The 3-stars.
   *
   * @param stars their number
   * @param rule the circle rule
   * @param method the search method of the engine
   * @param seconds the time of counting and writing them
   * @param fileBytes the size of the file of stars, if one was written
   */
  record Counted(long stars, String rule, String method, double seconds, OptionalLong fileBytes) {}

  /** A plan as {@code --json} prints it. */
  private record JsonPlan(
      int componentsBefore,
      int componentsAfter,
      int relays,
      double cost,
      OptionalInt existing,
      Map<String, Long> relaysByKind,
      int spanningTreeRelays,
      int connect,
      int plainRelays,
      double seconds,
      Optional<Terrain> terrain) {}

  private record Json(
      int sensors,
      String coordinates,
      double range,
      Optional<JsonPlan> plan,
      Optional<Counted> threeStars,
      String engine) {}

  /** Returns the report as {@code --json} prints it. */
  Object json() {
    return new Json(
        sensors.places().size(),
        isGeographic() ? "degrees" : "planar",
        range,
        planned.map(RelaysReport::json),
        counted,
        engine);
  }

  private static JsonPlan json(Planned planned) {
    RelayPlan plan = planned.plan();
    Map<String, Long> byKind = new LinkedHashMap<>();
    Arrays.stream(Relay.Kind.values()).forEach(kind -> byKind.put(name(kind), plan.count(kind)));
    return new JsonPlan(
        plan.groups().count(),
        1,
        plan.placed(),
        plan.cost(),
        planned.existing(),
        byKind,
        plan.spanningTreeRelays(),
        planned.connect(),
        planned.plainRelays(),
        planned.seconds(),
        planned.terrain());
  }

  /** Returns the report as text. */
  String text() {
    TextTable table = new TextTable().text("").text("");
    table.row("sensors", Units.count(sensors.places().size()));
    table.row("range", Units.plain(range) + (isGeographic() ? " m" : ""));
    planned.ifPresent(one -> addPlan(table, one));
    counted.ifPresent(one -> addStars(table, one));
    table.row("time", time());
    return table.toString();
  }

  private boolean isGeographic() {
    return sensors.coordinates() == Coordinates.DEGREES;
  }

  private static void addPlan(TextTable table, Planned planned) {
    RelayPlan plan = planned.plan();
    table.row("components", "%s before, 1 after".formatted(Units.count(plan.groups().count())));
    StringBuilder kinds = new StringBuilder();
    for (Relay.Kind kind : Relay.Kind.values()) {
      if (kind != Relay.Kind.EXISTING && plan.count(kind) > 0) {
        kinds.append(kinds.isEmpty() ? ": " : ", ");
        kinds.append(Units.count(plan.count(kind))).append(' ').append(name(kind));
      }
    }
    table.row("relays", Units.count(plan.placed()) + kinds);
    if (plan.relays().stream().anyMatch(RelaysReport::hasCost)) {
      table.row("cost", Units.plain(plan.cost()));
    }
    if (planned.existing().isPresent()) {
      table.row(
          "",
          "%s existing, %s in the network"
              .formatted(
                  Units.count(planned.existing().getAsInt()),
                  Units.count(plan.count(Relay.Kind.EXISTING))));
    }
    if (planned.connect() > 1) {
      table.row("", Units.count(planned.plainRelays()) + " if none of them may fail");
    }
    if (planned.terrain().isPresent()) {
      Terrain terrain = planned.terrain().get();
      table.row("", Units.count(terrain.flatRelays()) + " over a plain");
      table.row(
          "terrain",
          "%s places for relays, %s lines of sight"
              .formatted(Units.count(terrain.candidates()), Units.count(terrain.linesOfSight())));
      return;
    }
    table.row("", Units.count(plan.spanningTreeRelays()) + " if placed along a spanning tree only");
  }

  private static boolean hasCost(Relay relay) {
    return relay.kind() == Relay.Kind.SITE && relay.cost() != 1;
  }

  private static void addStars(TextTable table, Counted counted) {
    table.row(
        "3-stars",
        "%s by %s (%s)".formatted(Units.count(counted.stars()), counted.rule(), counted.method()));
    counted
        .fileBytes()
        .ifPresent(bytes -> table.row("", Units.bytes(bytes) + " in the file of 3-stars"));
  }

  private String time() {
    String plan = planned.map(one -> duration(one.seconds()) + " for the plan, ").orElse("");
    String stars = counted.map(one -> duration(one.seconds()) + " for 3-stars, ").orElse("");
    return plan + stars + engine;
  }

  private static String duration(double seconds) {
    return Units.duration((long) (seconds * NS_PER_SECOND));
  }

  private static String name(Relay.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}
