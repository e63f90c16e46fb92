package io.fieldstone.cli;

import io.fieldstone.cli.chart.Fonts;
import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.MethodNames;
import io.fieldstone.cli.console.OutputText;
import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.TextInput;
import io.fieldstone.cli.console.Units;
import io.fieldstone.cli.map.Hills;
import io.fieldstone.cli.map.HtmlMap;
import io.fieldstone.cli.map.ProfileChart;
import io.fieldstone.cli.map.RelayMap;
import io.fieldstone.cli.sensors.Box;
import io.fieldstone.cli.sensors.Columns;
import io.fieldstone.cli.sensors.Coordinates;
import io.fieldstone.cli.sensors.ListFormat;
import io.fieldstone.cli.sensors.MalformedSensorsException;
import io.fieldstone.cli.sensors.Network;
import io.fieldstone.cli.sensors.Place;
import io.fieldstone.cli.sensors.PlaceList;
import io.fieldstone.cli.sensors.PlaceReader;
import io.fieldstone.cli.sensors.PlanCsv;
import io.fieldstone.cli.sensors.PlanGeoJson;
import io.fieldstone.cli.sensors.PlanGeoPackage;
import io.fieldstone.cli.sensors.PlanKml;
import io.fieldstone.cli.sensors.ProjectedCrs;
import io.fieldstone.cli.sensors.Quantity;
import io.fieldstone.cli.sqlite.Sqlite;
import io.fieldstone.cli.sqlite.SqliteException;
import io.fieldstone.cli.terrain.TerrainOptions;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarRule;
import io.fieldstone.relays.Groups;
import io.fieldstone.relays.PlanMethod;
import io.fieldstone.relays.RelayPlan;
import io.fieldstone.relays.RelayPlanner;
import io.fieldstone.relays.SensorField;
import io.fieldstone.relays.StarEstimate;
import io.fieldstone.relays.StarFileSize;
import io.fieldstone.relays.ThreeStarSearch;
import io.fieldstone.relays.UnreachableSensorsException;
import io.fieldstone.relays.terrain.Elevation;
import io.fieldstone.relays.terrain.MalformedTerrainException;
import io.fieldstone.relays.terrain.TerrainPlan;
import io.fieldstone.relays.terrain.TerrainPlanner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.IntConsumer;
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
      "With --sites or --dem, columns or properties range, height and cost are those of each place;"
          + " a link needs the smaller of both ranges.",
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
final class RelaysCommand implements Callable<Integer> {

  private static final double NS_PER_SECOND = 1e9;

  /** The least number of relays of a gap that is named. */
  private static final int MIN_GAP = 10;

  /** The values of {@code --rule}. */
  enum Rule {
    circumcircle(StarRule.CIRCUMCIRCLE),
    enclosing(StarRule.ENCLOSING_CIRCLE);

    private final StarRule rule;

    Rule(StarRule rule) {
      this.rule = rule;
    }
  }

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

  /** The values of {@code --method}. */
  static final class StarMethods extends MethodNames {
    private static final StarField EMPTY =
        new StarField(new double[0], new double[0], 1, StarRule.CIRCUMCIRCLE);

    StarMethods() {
      super(engine -> engine.stars().methods(EMPTY));
    }
  }

  private static final String GEOJSON = ".geojson";
  private static final String CSV = ".csv";
  private static final String HTML = ".html";
  private static final String KML = ".kml";
  private static final String KMZ = ".kmz";
  private static final String GEOPACKAGE = ".gpkg";

  /** A step of a search that reports the number of sensors processed. */
  @FunctionalInterface
  private interface SearchStep<T, X extends Exception> {
    T run(IntConsumer progress) throws X;
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

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description =
          "Write the plan to FILE (.geojson, .csv, .kml, .kmz or .gpkg); - writes GeoJSON to"
              + " standard output.")
  private @Nullable Path output;

  @Option(
      names = "--map",
      paramLabel = "FILE",
      description =
          "Draw a map of the plan to FILE (.svg, .png, or .html for a browser, with search and"
              + " zoom).")
  private @Nullable Path map;

  @Option(
      names = "--tiles",
      paramLabel = "URL",
      description =
          "Tiles behind an HTML map of degrees, such as"
              + " https://tile.openstreetmap.org/{z}/{x}/{y}.png. Without it the page requests"
              + " nothing.")
  private @Nullable String tiles;

  @Option(
      names = "--sites",
      paramLabel = "FILE",
      description =
          "Place relays only at the points of FILE, which has the format of SENSORS. With a column"
              + " cost, the plan takes the least sum of costs.")
  private @Nullable Path sitesFile;

  @Option(
      names = "--existing",
      paramLabel = "FILE",
      description =
          "Use the relays in FILE, which cost nothing. It has the format of SENSORS, or is an"
              + " earlier plan, whose sensors are left out.")
  private @Nullable Path existingFile;

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

  @Option(names = "--count", description = "Only count the 3-stars, without a plan.")
  private boolean isCount;

  @Option(
      names = "--no-count",
      description = "Only plan. Counting the 3-stars of a dense field may take long.")
  private boolean isNoCount;

  @Option(
      names = "--stars",
      paramLabel = "FILE",
      description = "Write all 3-stars to FILE, compressed (see docs/relays.md).")
  private @Nullable Path starsFile;

  @Option(
      names = "--rule",
      paramLabel = "RULE",
      description =
          "The circle whose radius must be at most R: circumcircle, through the three sensors (the"
              + " default); enclosing, the smallest circle that contains them.")
  private @Nullable Rule rule;

  @Option(
      names = "--method",
      paramLabel = "METHOD",
      completionCandidates = StarMethods.class,
      description =
          "Search method of the engine: auto (the default); on the cores sequential, annulus,"
              + " lanes.")
  private @Nullable String method;

  @Option(
      names = "--columns",
      paramLabel = "X,Y",
      description =
          "Names of the two CSV columns with the coordinates: degrees if the names are lat and lon,"
              + " x and y otherwise.")
  private @Nullable String columns;

  @Option(
      names = "--id",
      paramLabel = "NAME",
      description =
          "Name of the column of CSV or GeoPackage, or of the GeoJSON property, with the ids.")
  private Optional<String> id = Optional.empty();

  @Option(
      names = "--crs",
      paramLabel = "CRS",
      description =
          "Coordinate reference system of x and y, such as EPSG:25832, or parameters of PROJ. R is"
              + " in metres then; GeoJSON plans have degrees, CSV plans x and y.")
  private @Nullable String crs;

  @Option(
      names = "--within",
      paramLabel = "BOX",
      description =
          "Leave out places outside WEST,SOUTH,EAST,NORTH, in the coordinates of the file.")
  private @Nullable String within;

  @Option(
      names = "--planar",
      description =
          "Read coordinates of GeoJSON and GeoPackage as planar, in the unit of R, instead of"
              + " degrees.")
  private boolean isPlanar;

  @Mixin private TerrainOptions terrain = new TerrainOptions();

  private boolean isOnStandardOutput;

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
    PlaceList all = read(session, sensorsFile, unused("on sensors"));
    try (Engine engine = session.openEngine()) {
      return run(session, engine, maxGap == null ? all : near(session, engine, all, maxGap));
    }
  }

  /** Lists the weak points of a network. */
  private int check(Session session, Path file)
      throws IOException, Failure, MalformedSensorsException {
    if (sensorsFile != null
        || isCount
        || isNoCount
        || output != null
        || map != null
        || sitesFile != null
        || existingFile != null
        || planMethod != null
        || starsFile != null
        || rule != null
        || method != null
        || maxGap != null
        || terrain.dem().isPresent()
        || connect != 1) {
      throw session.usage(
          "--check makes no plan: besides it are only --range, --columns, --id, --crs, --within"
              + " and --planar");
    }
    requireRange(session, "--range", range);
    PlaceList list =
        read(session, file, Map.of(Quantity.HEIGHT, "with --check", Quantity.COST, "with --check"));
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
    if (terrain.dem().isPresent()) {
      RelaysReport.Planned planned = planOnTerrain(session, engine, sensors, field);
      report(
          session,
          new RelaysReport(
              sensors, range, Optional.of(planned), Optional.empty(), engine.description()));
      return ExitCode.OK;
    }
    try (ThreeStarSearch search = search(session, engine, field)) {
      // Stars come last: they may take long, and an interrupted count must not cost the plan.
      Optional<RelaysReport.Planned> planned =
          isCount ? Optional.empty() : Optional.of(plan(session, engine, sensors, field));
      Optional<RelaysReport.Counted> counted =
          isNoCount ? Optional.empty() : Optional.of(stars(session, search));
      report(session, new RelaysReport(sensors, range, planned, counted, engine.description()));
    }
    return ExitCode.OK;
  }

  private void report(Session session, RelaysReport report) {
    if (isCount && session.isQuiet() && !session.isJson()) {
      report.counted().ifPresent(counted -> session.streams().out().println(counted.stars()));
    } else if (!isOnStandardOutput) {
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
    if (terrain.dem().isPresent()
        && (isCount
            || isPlanar
            || connect != 1
            || planMethod != null
            || starsFile != null
            || rule != null
            || method != null)) {
      throw session.usage(
          "--dem excludes --connect 2, --plan-method, --planar and the options of 3-stars");
    }
    if (connect == 2 && (sitesFile != null || isCount)) {
      throw session.usage("--connect 2 excludes --sites and --count");
    }
    if (isCount
        && (isNoCount
            || output != null
            || map != null
            || sitesFile != null
            || existingFile != null
            || planMethod != null)) {
      throw session.usage(
          "--count makes no plan and excludes -o, --map, --sites, --existing, --plan-method and"
              + " --no-count");
    }
    if (isNoCount && (starsFile != null || rule != null || method != null)) {
      throw session.usage("--no-count excludes --stars, --rule and --method");
    }
    if (sitesFile != null && planMethod != null) {
      throw session.usage("--sites excludes --plan-method");
    }
    isOnStandardOutput = output != null && InputFiles.isStandardOutput(output);
    session.requireOneOnStandardOutput("-o", isOnStandardOutput);
    if (output != null && !isOnStandardOutput) {
      InputFiles.requireEnding(spec, "-o", output, GEOJSON, CSV, KML, KMZ, GEOPACKAGE);
    }
    if (map != null) {
      InputFiles.requireEnding(spec, "--map", map, InputFiles.SVG, InputFiles.PNG, HTML);
    }
    if (terrain.profiles() != null) {
      InputFiles.requireEnding(spec, "--profiles", terrain.profiles(), InputFiles.SVG);
    }
    if (tiles != null && (map == null || !InputFiles.hasEnding(map, HTML))) {
      throw session.usage("--tiles is for --map FILE.html");
    }
    parsed(session, "--tiles", tiles, HtmlMap.Tiles::parse);
    format(session); // reports a mistake before the search
    checkFiles(session, sensors);
  }

  private void checkFiles(Session session, Path sensors) throws IOException, Failure {
    List<Path> inputs =
        Stream.of(sensors, sitesFile, existingFile).filter(Objects::nonNull).toList();
    if (inputs.stream().filter(InputFiles::isStandardStream).count() > 1) {
      throw session.usage("standard input can be only one of SENSORS, --sites and --existing");
    }
    InputFiles.requireOutputs(
        spec, inputs, isOnStandardOutput ? null : output, map, terrain.profiles(), starsFile);
  }

  private Optional<PlaceList> sites(Session session)
      throws IOException, Failure, MalformedSensorsException {
    Map<Quantity, String> unused =
        terrain.dem().isPresent() ? Map.of() : Map.of(Quantity.HEIGHT, "without --dem");
    return sitesFile == null ? Optional.empty() : Optional.of(read(session, sitesFile, unused));
  }

  /**
   * Returns the quantities that a plan does not use.
   *
   * @param others the stations of a list that are no sites, which cost nothing
   */
  private Map<Quantity, String> unused(String others) {
    Map<Quantity, String> unused = new EnumMap<>(Quantity.class);
    unused.put(Quantity.COST, others);
    if (terrain.dem().isEmpty()) {
      unused.put(Quantity.HEIGHT, "without --dem");
      if (sitesFile == null) {
        unused.put(Quantity.RANGE, "without --sites or --dem");
      }
    }
    return unused;
  }

  private PlaceList read(Session session, Path file, Map<Quantity, String> unused)
      throws IOException, Failure, MalformedSensorsException {
    byte[] bytes = TextInput.bytes(session, file);
    if (Sqlite.isDatabase(bytes) && !InputFiles.isStandardStream(file)) {
      Path log = file.resolveSibling(file.getFileName() + "-wal");
      if (Files.exists(log) && Files.size(log) > 0) {
        session.warn("another program has changes that are not in it yet: " + file);
      }
    }
    return new PlaceReader(format(session).without(unused), session::warn)
        .read(TextInput.name(file), bytes);
  }

  private ListFormat format(Session session) {
    if (isPlanar && crs != null) {
      throw session.usage("--crs excludes --planar");
    }
    return ListFormat.of(isPlanar ? Coordinates.PLANAR : Coordinates.DEGREES)
        .withColumns(columns(session))
        .withId(id)
        .withCrs(parsed(session, "--crs", crs, ProjectedCrs::of))
        .within(parsed(session, "--within", within, Box::parse));
  }

  private static <T> Optional<T> parsed(
      Session session, String option, @Nullable String text, Function<String, T> parser) {
    try {
      return Optional.ofNullable(text).map(parser);
    } catch (IllegalArgumentException e) {
      throw session.usage(option + ": " + e.getMessage());
    }
  }

  private Optional<Columns> columns(Session session) {
    if (columns == null) {
      return Optional.empty();
    }
    String[] names = columns.split(",", -1);
    if (names.length != 2
        || names[0].isBlank()
        || names[1].isBlank()
        || names[0].equals(names[1])) {
      throw session.usage("--columns '%s' does not name two columns".formatted(columns));
    }
    return Optional.of(new Columns(names[0], names[1]));
  }

  private ThreeStarSearch search(Session session, Engine engine, SensorField field) {
    StarRule starRule = (rule == null ? Rule.circumcircle : rule).rule;
    try {
      return method == null || method.equals(Methods.AUTO)
          ? ThreeStarSearch.in(engine, field, range, starRule)
          : ThreeStarSearch.in(engine, field, range, starRule, method);
    } catch (IllegalArgumentException e) {
      // With a method, either may be wrong, and the message names it.
      throw session.usage((method == null ? "--range: " : "") + e.getMessage());
    }
  }

  private RelaysReport.Planned plan(
      Session session, Engine engine, PlaceList sensors, SensorField field)
      throws IOException, Failure, MalformedSensorsException {
    Optional<PlaceList> sites = sites(session);
    Optional<PlaceList> existing = existing(session);
    long start = System.nanoTime();
    RelayPlanner planner = planner(session, engine, field);
    if (existing.isEmpty()) {
      hintAtGap(session, sensors, planner); // existing relays may bridge it
    }
    PlanMethod chosen = planMethod == null ? PlanMethod.BEST_STARS : planMethod.method;
    RelayPlan plain =
        sites.isPresent()
            ? planOnSites(
                planner,
                sites.get().alongside(sensors, field),
                existing.isPresent()
                    ? Optional.of(existing.get().alongside(sensors, field))
                    : Optional.empty())
            : existing.isPresent()
                ? planner.plan(chosen, existing.get().alongside(sensors, field))
                : planner.plan(chosen);
    RelayPlan plan = connect == 2 ? planner.reinforced(plain) : plain;
    double seconds = seconds(start);
    if (output != null || map != null) {
      // A CSV plan has no links.
      boolean areLinksShown = (output != null && !InputFiles.hasEnding(output, CSV)) || map != null;
      List<RelayPlan.Link> links = areLinksShown ? plan.links(engine) : List.of();
      write(session, Network.of(sensors, sites, existing, plan, links), Optional.empty());
    }
    return new RelaysReport.Planned(
        plan, plain.placed(), count(existing), connect, seconds, Optional.empty());
  }

  /** Reads the existing relays: all places but the sensors of a plan. */
  private Optional<PlaceList> existing(Session session)
      throws IOException, Failure, MalformedSensorsException {
    if (existingFile == null) {
      return Optional.empty();
    }
    PlaceList list = read(session, existingFile, unused("on existing relays"));
    List<Place> relays = list.places().stream().filter(place -> !place.isSensorOfPlan()).toList();
    if (relays.isEmpty()) {
      throw new Failure("a plan without relays", existingFile);
    }
    return Optional.of(new PlaceList(list.name(), relays, list.coordinates()));
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
    Optional<PlaceList> sites = sites(session);
    Optional<PlaceList> existing = existing(session);
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
          sitesFile == null ? dem : sitesFile,
          e);
    }
    double seconds = seconds(start);
    Network network = Network.of(sensors, sites, existing, plan.plan(), plan.links());
    write(session, network, field.projection().map(plane -> new Hills(elevation, plane)));
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

  private RelayPlan planOnSites(
      RelayPlanner planner, SensorField sites, Optional<SensorField> existing) throws Failure {
    try {
      return existing.isPresent() ? planner.plan(sites, existing.get()) : planner.plan(sites);
    } catch (UnreachableSensorsException e) {
      throw new Failure(String.valueOf(e.getMessage()), String.valueOf(sitesFile), e);
    } catch (IllegalArgumentException e) {
      throw new Failure(String.valueOf(e.getMessage()), String.valueOf(sitesFile), e);
    }
  }

  private void write(Session session, Network network, Optional<Hills> hills)
      throws IOException, Failure {
    if (output != null) {
      List<byte[]> parts = formatted(session, output, network);
      if (isOnStandardOutput) {
        for (byte[] part : parts) {
          session.streams().out().print(new String(part, StandardCharsets.UTF_8));
        }
      } else {
        OutputText.write(output, parts);
      }
    }
    if (map != null && InputFiles.hasEnding(map, InputFiles.PNG)) {
      OutputText.write(map, png(session, map, network, hills));
    } else if (map != null && InputFiles.hasEnding(map, HTML)) {
      if (tiles != null && network.coordinates() == Coordinates.PLANAR) {
        throw session.usage("--tiles needs sensors in degrees, or --crs");
      }
      OutputText.write(
          map, HtmlMap.of(network, parsed(session, "--tiles", tiles, HtmlMap.Tiles::parse), hills));
    } else if (map != null) {
      OutputText.write(map, RelayMap.svg(network, hills));
    }
  }

  private List<byte[]> formatted(Session session, Path file, Network network) throws Failure {
    if (InputFiles.hasEnding(file, GEOPACKAGE)) {
      try {
        return List.of(PlanGeoPackage.of(network));
      } catch (SqliteException e) {
        throw new Failure(String.valueOf(e.getMessage()), file, e);
      }
    }
    if (InputFiles.hasEnding(file, KML) || InputFiles.hasEnding(file, KMZ)) {
      if (network.coordinates() == Coordinates.PLANAR) {
        throw session.usage("-o %s: KML has degrees, the sensors have x, y".formatted(file));
      }
      return List.of(
          InputFiles.hasEnding(file, KML) ? PlanKml.of(network) : PlanKml.archive(network));
    }
    return InputFiles.hasEnding(file, CSV)
        ? PlanCsv.of(network, format(session).crs(), session.threads())
        : PlanGeoJson.of(network, session.threads());
  }

  private static byte[] png(Session session, Path file, Network network, Optional<Hills> hills)
      throws Failure {
    Optional<byte[]> png = RelayMap.png(network, hills);
    if (png.isEmpty()) {
      throw new Failure(
          "PNG needs the java.desktop module, which this Java runtime lacks; use .svg", file);
    }
    if (!Fonts.arePresent()) {
      session.warn("no fonts on this machine, so the map has no text: " + file);
    }
    return png.get();
  }

  private RelaysReport.Counted stars(Session session, ThreeStarSearch search) throws IOException {
    String ruleName = (rule == null ? Rule.circumcircle : rule).name();
    long start = System.nanoTime();
    informOfMany(session, search.estimate());
    if (starsFile == null) {
      long stars = runStep(session, search, search::count);
      return new RelaysReport.Counted(
          stars, ruleName, search.method(), seconds(start), OptionalLong.empty());
    }
    Path file = starsFile;
    StarFileSize size = runStep(session, search, progress -> search.measure(file, progress));
    session.inform(
        "writing %s: %s for %s 3-stars"
            .formatted(file, Units.bytes(size.bytes()), Units.count(size.stars())));
    long stars = runStep(session, search, progress -> search.write(file, size, progress));
    return new RelaysReport.Counted(
        stars, ruleName, search.method(), seconds(start), OptionalLong.of(size.bytes()));
  }

  /** Says at once how many stars there are, where a search takes long; boxes count fast. */
  private void informOfMany(Session session, Optional<StarEstimate> estimate) {
    if (estimate.isEmpty()
        || (starsFile == null && estimate.get().kind() == StarEstimate.Kind.EXACT)) {
      return;
    }
    String prefix =
        switch (estimate.get().kind()) {
          case EXACT -> "";
          case AT_LEAST -> "at least ";
          case ABOUT -> "about ";
        };
    session.inform(
        "%s%s 3-stars: searching all takes long"
            .formatted(prefix, Units.count(estimate.get().stars())));
  }

  private static <T, X extends Exception> T runStep(
      Session session, ThreeStarSearch search, SearchStep<T, X> part) throws X {
    try (Progress.Steps steps = session.steps("3-stars")) {
      return part.run(done -> steps.begin("", done, search.sensors()));
    }
  }

  private static double seconds(long startNs) {
    return (System.nanoTime() - startNs) / NS_PER_SECOND;
  }
}
