package io.fieldstone.cli.relays;

import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.OutputText;
import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.StartUp;
import io.fieldstone.cli.console.Units;
import io.fieldstone.cli.sensors.ListOptions;
import io.fieldstone.cli.sensors.MalformedSensorsException;
import io.fieldstone.cli.sensors.PlaceList;
import io.fieldstone.cli.terrain.TerrainOptions;
import io.fieldstone.engine.Engine;
import io.fieldstone.map.Coordinates;
import io.fieldstone.map.Hills;
import io.fieldstone.map.Network;
import io.fieldstone.map.Place;
import io.fieldstone.map.ProfileChart;
import io.fieldstone.map.Quantity;
import io.fieldstone.relays.Groups;
import io.fieldstone.relays.PlanMethod;
import io.fieldstone.relays.RelayPlan;
import io.fieldstone.relays.RelayPlanner;
import io.fieldstone.relays.SensorField;
import io.fieldstone.relays.ThreeStarSearch;
import io.fieldstone.relays.UnreachableSensorsException;
import io.fieldstone.relays.terrain.Elevation;
import io.fieldstone.relays.terrain.MalformedTerrainException;
import io.fieldstone.relays.terrain.TerrainPlan;
import io.fieldstone.relays.terrain.TerrainPlanner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Runs {@code fieldstone relays}: places relays that connect a field of sensors, and counts
 * 3-stars.
 */
@Command(
    name = "relays",
    sortOptions = false,
    customSynopsis = {
      "fieldstone relays SENSORS --range R [-o PLAN] [--map MAP] [OPTION]...",
      "fieldstone relays --check PLAN --range R [OPTION]..."
    },
    description = {
      "Place relays that connect a field of sensors to one network, and count its 3-stars.",
      "",
      "SENSORS is a CSV file with the columns id,x,y or id,lat,lon in any order, a GeoJSON, KML or"
          + " GeoPackage file with points, or the JSON list of Meshtastic, MeshCore, AREDN or"
          + " Freifunk."
          + " Sensors and relays at most R apart are linked.",
      "",
      "Columns or properties range, height (with --dem) and cost (of --sites) are those of each"
          + " place; a link needs the smaller of both ranges.",
      "",
      "A 3-star is a set of three sensors, pairwise more than R apart, that one relay can join.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone relays motes.csv --range 4 -o plan.geojson --map map.svg",
      "  fieldstone relays masts.geojson --range 30000 --sites hills.csv -o plan.csv",
      "  fieldstone relays masts.csv --range 30000 --sites offers.csv   of least cost",
      "  fieldstone relays masts.csv --range 30000 --crs EPSG:25832 --id name",
      "  fieldstone relays nodes.json --range 20000 --dem tiles --map map.html",
      "  fieldstone relays motes.csv --range 4 --existing plan.geojson -o more.geojson",
      "  fieldstone relays motes.csv --range 4 --connect 2 -o safe.geojson",
      "  fieldstone relays --check safe.geojson --range 4",
      "  fieldstone relays motes.csv --range 4 --count -q   print the number of 3-stars",
    })
@StartUp(
    value = StartUp.Profile.C1,
    c2Options = {"!--no-count", "--dem"})
public final class RelaysCommand implements Callable<Integer> {

  private static final double NS_PER_SECOND = 1e9;

  /** The least number of relays of a gap that is named. */
  private static final int MIN_GAP = 10;

  /** The values of {@code --plan-method}. */
  enum Plan {
    tree(PlanMethod.SPANNING_TREE),
    stars(PlanMethod.THREE_STARS),
    best(PlanMethod.BEST_STARS);

    private final PlanMethod method;

    Plan(PlanMethod method) {
      this.method = method;
    }
  }

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "SENSORS",
      arity = "0..1",
      description = "File of sensors, or - for standard input.")
  private @Nullable Path sensorsFile;

  @Option(
      names = "--range",
      paramLabel = "R",
      required = true,
      converter = Converters.Decimal.class,
      description = "Range of sensors and relays, in the unit of x,y; in metres for lat,lon.")
  private double range;

  @Mixin private PlanOutputs outputs = new PlanOutputs();

  @Mixin private SiteOptions places = new SiteOptions();

  @Option(
      names = "--connect",
      paramLabel = "K",
      description =
          "With 2, any one relay may fail: plan further relays, at most as many again. 1 is the"
              + " default.")
  private int connect = 1;

  @Option(
      names = "--check",
      paramLabel = "PLAN",
      description =
          "List the single points of failure and the unconnected parts of the network in PLAN,"
              + " which has the format of SENSORS, without a plan.")
  private @Nullable Path checkedFile;

  @Option(
      names = "--max-gap",
      paramLabel = "D",
      converter = Converters.Decimal.class,
      description =
          "Leave out sensors beyond a gap longer than D, in the unit of R: all but the largest"
              + " part.")
  private @Nullable Double maxGap;

  @Option(
      names = "--plan-method",
      paramLabel = "PLAN",
      description =
          "Placement of relays: tree, along a spanning tree; stars, by the paper's 3-stars; best"
              + " (the default), by the stars that save most relays.")
  private @Nullable Plan planMethod;

  @Mixin private StarOptions stars = new StarOptions();

  @Mixin private ListOptions lists = new ListOptions();

  @Mixin private TerrainOptions terrain = new TerrainOptions();

  @Override
  public Integer call()
      throws IOException, Failure, MalformedSensorsException, MalformedTerrainException {
    Session session = Session.of(spec);
    if (checkedFile != null) {
      return check(session, checkedFile);
    }
    if (sensorsFile == null) {
      throw session.usage("no SENSORS: a file, or - for standard input");
    }
    checkOptions(session, sensorsFile);
    PlaceList all = lists.read(session, sensorsFile, places.unused("on sensors", isOverTerrain()));
    try (Engine engine = session.openEngine()) {
      return run(session, engine, maxGap == null ? all : near(session, engine, all, maxGap));
    }
  }

  private boolean isOverTerrain() {
    return terrain.dem().isPresent();
  }

  /** Lists the weak points of a network. */
  private int check(Session session, Path file)
      throws IOException, Failure, MalformedSensorsException {
    if (sensorsFile != null
        || stars.isCount()
        || stars.isNoCount()
        || stars.areSearched()
        || outputs.isAny()
        || places.sitesFile() != null
        || places.existingFile() != null
        || planMethod != null
        || maxGap != null
        || terrain.dem().isPresent()
        || connect != 1) {
      throw session.usage(
          "--check makes no plan: besides it are only --range, --columns, --id, --layer, --crs,"
              + " --within and --planar");
    }
    requireRange(session, "--range", range);
    PlaceList list =
        lists.read(
            session, file, Map.of(Quantity.HEIGHT, "with --check", Quantity.COST, "with --check"));
    try (Engine engine = session.openEngine()) {
      RelaysCheck report = RelaysCheck.of(session, engine, list, range);
      session.print(report.json(), report::text);
    }
    return ExitCode.OK;
  }

  private static void requireRange(Session session, String option, double value) {
    if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
      throw session.usage(option + " " + Units.plain(value) + " is not positive and finite");
    }
  }

  /** Returns the largest part of the sensors without gaps longer than a distance. */
  private static PlaceList near(Session session, Engine engine, PlaceList all, double distance)
      throws MalformedSensorsException {
    Groups groups = Groups.within(engine, all.field(), distance);
    int[] sizes = new int[groups.count()];
    for (int sensor = 0; sensor < all.places().size(); sensor++) {
      sizes[groups.of(sensor)]++;
    }
    int largest = IntStream.range(0, sizes.length).reduce(0, (a, b) -> sizes[b] > sizes[a] ? b : a);
    List<Place> kept =
        IntStream.range(0, all.places().size())
            .filter(sensor -> groups.of(sensor) == largest)
            .mapToObj(all.places()::get)
            .toList();
    int left = all.places().size() - kept.size();
    if (left > 0) {
      Place first =
          IntStream.range(0, all.places().size())
              .filter(sensor -> groups.of(sensor) != largest)
              .mapToObj(all.places()::get)
              .findFirst()
              .orElseThrow();
      session.warn(
          "%s beyond --max-gap left out, first '%s': %s"
              .formatted(left == 1 ? "1 sensor" : left + " sensors", first.id(), all.name()));
    }
    return new PlaceList(all.name(), kept, all.coordinates());
  }

  private int run(Session session, Engine engine, PlaceList sensors)
      throws IOException, Failure, MalformedSensorsException, MalformedTerrainException {
    SensorField field = sensors.field();
    if (isOverTerrain() || stars.isNoCount()) {
      RelaysReport.Planned planned =
          isOverTerrain()
              ? planOnTerrain(session, engine, sensors, field)
              : plan(session, engine, sensors, field);
      report(
          session,
          new RelaysReport(
              sensors, range, Optional.of(planned), Optional.empty(), engine.description()));
      return ExitCode.OK;
    }
    try (ThreeStarSearch search = stars.search(session, engine, field, range)) {
      // Stars come last: they may take long, and an interrupted count must not cost the plan.
      Optional<RelaysReport.Planned> planned =
          stars.isCount() ? Optional.empty() : Optional.of(plan(session, engine, sensors, field));
      Optional<RelaysReport.Counted> counted = Optional.of(stars.stars(session, search));
      report(session, new RelaysReport(sensors, range, planned, counted, engine.description()));
    }
    return ExitCode.OK;
  }

  private void report(Session session, RelaysReport report) {
    if (stars.isCount() && session.isQuiet() && !session.isJson()) {
      report.counted().ifPresent(counted -> session.streams().out().println(counted.stars()));
    } else if (!outputs.isOnStandardOutput()) {
      session.print(report.json(), report::text);
    }
  }

  private void checkOptions(Session session, Path sensors) throws IOException, Failure {
    requireRange(session, "--range", range);
    if (maxGap != null) {
      requireRange(session, "--max-gap", maxGap);
    }
    if (connect != 1 && connect != 2) {
      throw session.usage("--connect %d is neither 1 nor 2".formatted(connect));
    }
    terrain.check(spec);
    if (isOverTerrain()
        && (stars.isCount()
            || stars.areSearched()
            || lists.isPlanar()
            || connect != 1
            || planMethod != null)) {
      throw session.usage(
          "--dem excludes --connect 2, --plan-method, --planar and the options of 3-stars");
    }
    if (connect == 2 && (places.sitesFile() != null || stars.isCount())) {
      throw session.usage("--connect 2 excludes --sites and --count");
    }
    if (stars.isCount()
        && (stars.isNoCount()
            || outputs.isAny()
            || places.sitesFile() != null
            || places.existingFile() != null
            || planMethod != null)) {
      throw session.usage(
          "--count makes no plan and excludes -o, --map, --sites, --existing, --plan-method and"
              + " --no-count");
    }
    stars.check(session);
    if (places.sitesFile() != null && planMethod != null) {
      throw session.usage("--sites excludes --plan-method");
    }
    outputs.check(session);
    if (terrain.profiles() != null) {
      InputFiles.requireEnding(spec, "--profiles", terrain.profiles(), InputFiles.SVG);
    }
    lists.format(session); // reports a mistake before the search
    checkFiles(session, sensors);
  }

  private void checkFiles(Session session, Path sensors) throws IOException, Failure {
    List<Path> inputs =
        Stream.of(sensors, places.sitesFile(), places.existingFile())
            .filter(Objects::nonNull)
            .toList();
    if (inputs.stream().filter(InputFiles::isStandardStream).count() > 1) {
      throw session.usage("standard input can be only one of SENSORS, --sites and --existing");
    }
    InputFiles.requireOutputs(
        spec, inputs, outputs.planFile(), outputs.map(), terrain.profiles(), stars.file());
  }

  private RelaysReport.Planned plan(
      Session session, Engine engine, PlaceList sensors, SensorField field)
      throws IOException, Failure, MalformedSensorsException {
    Optional<PlaceList> sites = places.sites(session, lists, isOverTerrain());
    Optional<PlaceList> existing = places.existing(session, lists, isOverTerrain());
    if (connect == 2) {
      requireOneRange(session, sensors);
      if (existing.isPresent()) {
        requireOneRange(session, existing.get());
      }
    }
    long start = System.nanoTime();
    RelayPlanner planner = planner(session, engine, field);
    if (existing.isEmpty()) {
      hintAtGap(session, sensors, planner); // existing relays may bridge it
    }
    RelayPlan plain =
        sites.isPresent()
            ? planOnSites(
                planner,
                sites.get().alongside(sensors, field),
                existing.isPresent()
                    ? Optional.of(existing.get().alongside(sensors, field))
                    : Optional.empty())
            : planAnywhere(planner, sensors, field, existing);
    RelayPlan plan = connect == 2 ? planner.reinforced(plain) : plain;
    double seconds = seconds(start);
    if (outputs.isAny()) {
      List<RelayPlan.Link> links = outputs.haveLinks() ? plan.links(engine) : List.of();
      Network network = network(sensors, sites, existing, plan, links);
      outputs.write(session, network, lists.format(session).crs(), Optional.empty());
    }
    return new RelaysReport.Planned(
        plan, plain.placed(), count(existing), connect, seconds, Optional.empty());
  }

  private static void requireOneRange(Session session, PlaceList list) {
    for (Place place : list.places()) {
      if (!Double.isNaN(place.own().range())) {
        throw session.usage(
            "--connect 2 takes one range for all, but '%s' has its own: %s"
                .formatted(place.id(), list.name()));
      }
    }
  }

  private static OptionalInt count(Optional<PlaceList> list) {
    return list.isPresent() ? OptionalInt.of(list.get().places().size()) : OptionalInt.empty();
  }

  private RelaysReport.Planned planOnTerrain(
      Session session, Engine engine, PlaceList sensors, SensorField field)
      throws IOException, Failure, MalformedSensorsException, MalformedTerrainException {
    if (sensors.coordinates() == Coordinates.PLANAR) {
      throw session.usage("--dem needs sensors in degrees, or --crs");
    }
    Path dem = terrain.dem().orElseThrow();
    Optional<PlaceList> sites = places.sites(session, lists, isOverTerrain());
    Optional<PlaceList> existing = places.existing(session, lists, isOverTerrain());
    Elevation elevation = terrain.elevation(field, range, session::warn);
    long start = System.nanoTime();
    TerrainPlan plan;
    try (Progress.Steps steps = session.steps("plan")) {
      TerrainPlanner planner =
          new TerrainPlanner(engine, field, elevation, terrain.radio(spec, range));
      planner.onProgress(steps::begin);
      if (existing.isPresent()) {
        planner.useExisting(existing.get().alongside(sensors, field));
      }
      plan =
          sites.isPresent() ? planner.plan(sites.get().alongside(sensors, field)) : planner.plan();
    } catch (IllegalArgumentException e) {
      throw new Failure(String.valueOf(e.getMessage()), dem, e);
    } catch (UnreachableSensorsException e) {
      throw new Failure(
          e.getMessage() + " (a greater --height or a smaller --clearance links more)",
          Objects.requireNonNullElse(places.sitesFile(), dem),
          e);
    }
    double seconds = seconds(start);
    Network network = network(sensors, sites, existing, plan.plan(), plan.links());
    outputs.write(
        session,
        network,
        lists.format(session).crs(),
        field.projection().map(plane -> new Hills(elevation, plane)));
    if (terrain.profiles() != null) {
      OutputText.write(terrain.profiles(), ProfileChart.svg(network, plan));
    }
    return new RelaysReport.Planned(
        plan.plan(),
        plan.plan().placed(),
        count(existing),
        connect,
        seconds,
        Optional.of(RelaysReport.Terrain.of(plan)));
  }

  /** Names a gap that takes most relays: coordinates may be wrong. */
  private static void hintAtGap(Session session, PlaceList sensors, RelayPlanner planner) {
    Optional<RelayPlanner.Gap> gap = planner.longestGap();
    int all = planner.spanningTreeRelays();
    if (gap.isPresent() && gap.get().relays() >= MIN_GAP && 2 * gap.get().relays() > all) {
      RelayPlanner.Gap longest = gap.get();
      session.warn(
          "the gap of %s between '%s' and '%s' takes %s of %s relays, and %s beyond it"
                  .formatted(
                      Units.plain(Math.rint(longest.length()))
                          + (sensors.coordinates() == Coordinates.DEGREES ? " m" : ""),
                      sensors.places().get(longest.from()).id(),
                      sensors.places().get(longest.to()).id(),
                      Units.count(longest.relays()),
                      Units.count(all),
                      longest.beyond() == 1 ? "1 sensor is" : longest.beyond() + " sensors are")
              + " (--within or --max-gap leaves out what is far): "
              + sensors.name());
    }
  }

  private RelayPlanner planner(Session session, Engine engine, SensorField field) {
    try {
      return new RelayPlanner(engine, field, range);
    } catch (IllegalArgumentException e) {
      throw session.usage("--range: " + e.getMessage());
    }
  }

  private RelayPlan planAnywhere(
      RelayPlanner planner, PlaceList sensors, SensorField field, Optional<PlaceList> existing)
      throws Failure, MalformedSensorsException {
    PlanMethod chosen = planMethod == null ? PlanMethod.BEST_STARS : planMethod.method;
    try {
      return existing.isPresent()
          ? planner.plan(chosen, existing.get().alongside(sensors, field))
          : planner.plan(chosen);
    } catch (IllegalArgumentException e) { // too many pairs of places
      throw new Failure(String.valueOf(e.getMessage()), sensors.name(), e);
    }
  }

  private RelayPlan planOnSites(
      RelayPlanner planner, SensorField sites, Optional<SensorField> existing) throws Failure {
    try {
      return existing.isPresent() ? planner.plan(sites, existing.get()) : planner.plan(sites);
    } catch (UnreachableSensorsException e) {
      throw new Failure(String.valueOf(e.getMessage()), String.valueOf(places.sitesFile()), e);
    } catch (IllegalArgumentException e) {
      throw new Failure(String.valueOf(e.getMessage()), String.valueOf(places.sitesFile()), e);
    }
  }

  private static double seconds(long startNs) {
    return (System.nanoTime() - startNs) / NS_PER_SECOND;
  }

  private static Network network(
      PlaceList sensors,
      Optional<PlaceList> sites,
      Optional<PlaceList> existing,
      RelayPlan plan,
      List<RelayPlan.Link> links) {
    return Network.of(
        sensors.places(),
        sites.map(PlaceList::places).orElse(List.of()),
        existing.map(PlaceList::places).orElse(List.of()),
        plan,
        links);
  }
}
