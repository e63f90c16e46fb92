package io.fieldstone.relays.terrain;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.terrain.SightPaths;
import io.fieldstone.relays.Equipment;
import io.fieldstone.relays.Groups;
import io.fieldstone.relays.PlanMethod;
import io.fieldstone.relays.Position;
import io.fieldstone.relays.Projection;
import io.fieldstone.relays.Relay;
import io.fieldstone.relays.RelayPlan;
import io.fieldstone.relays.RelayPlanner;
import io.fieldstone.relays.SensorField;
import io.fieldstone.relays.UnreachableSensorsException;
import io.fieldstone.relays.graph.NodeSteinerTree;
import io.fieldstone.relays.graph.StationGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * Plans relays over terrain: two stations are linked if they are in range and the line between
 * their antennas is clear of the ground. For one thread.
 *
 * <p>Relays are on sites, if they are given. Else they are at the highest points of squares of a
 * fifth of the range, at the places of the plan over a plain, or at sensors. If these do not
 * connect the sensors, squares are smaller. The plan is a node-weighted Steiner tree of the graph
 * of these places. Sensors, sites and existing relays may have ranges and heights of their own, and
 * sites costs ({@link io.fieldstone.relays.Equipment}).
 *
 * {@snippet :
 * Elevation elevation = Elevation.of(List.of(HgtFile.source(file)), TerrainPlanner.area(field, 5000));
 * RadioLink radio = new RadioLink(5000, 2, 10, 868e6, RadioLink.USUAL_CLEARANCE);
 * TerrainPlan plan = new TerrainPlanner(engine, field, elevation, radio).plan();
 * }
 */
public final class TerrainPlanner {

  /** The maximum number of candidates. */
  public static final int MAX_CANDIDATES = 200_000;

  /** The number of squares with a candidate along a range; twice, then four times as many later. */
  private static final int SQUARES = 5;

  private static final int MAX_SQUARES = 4 * SQUARES;

  /** The number of candidates from which squares are not divided further. */
  private static final int MANY_CANDIDATES = 8_000;

  /** The distance of the first candidates from the plan over a plain, in ranges. */
  private static final double FIRST_REACH = 2;

  private static final double METRES_PER_DEGREE = 111_195;
  private static final double MIN_COSINE = 0.01;

  private final Engine engine;
  private final SensorField sensors;
  private final Elevation elevation;
  private final RadioLink radio;
  private final Projection projection;
  private final Stations stations;

  /** The existing relays. */
  private Optional<SensorField> existing = Optional.empty();

  /** The existing relays that are used, whose stations follow those of sensors. */
  private int[] used = {};

  /** The stations of the last plan's relays. */
  private List<Stations.Station> chosenStations = List.of();

  private Progress progress = (_, _, _) -> {};

  /** Receives the progress of a plan. */
  @FunctionalInterface
  public interface Progress {

    /**
     * Is called when a part of a step is done.
     *
     * @param step the step, in a word or two
     * @param done the parts that are done
     * @param total the number of parts
     */
    void at(String step, int done, int total);
  }

  /**
   * Prepares a plan.
   *
   * @param engine computes lines of sight; the caller closes it
   * @param sensors sensors in degrees
   * @param elevation heights of the {@link #area} of the sensors
   * @throws IllegalArgumentException if the sensors are in a plane, or one is where there are no
   *     heights; the message names it
   */
  public TerrainPlanner(Engine engine, SensorField sensors, Elevation elevation, RadioLink radio) {
    engine.requireOpen();
    this.engine = engine;
    this.sensors = sensors;
    this.elevation = elevation;
    this.radio = radio;
    this.projection =
        sensors
            .projection()
            .orElseThrow(() ->
                new IllegalArgumentException("terrain needs sensors in degrees, not in a plane"));
    this.stations = new Stations(elevation, projection);
    for (int sensor = 0; sensor < sensors.size(); sensor++) {
      requireHeight("sensor", sensors, sensor);
      stations.add(
          sensors.x(sensor),
          sensors.y(sensor),
          sensors.equipment().height(sensor, radio.sensorHeight()),
          sensors.equipment().range(sensor, radio.range()),
          0);
    }
  }

  /**
   * Returns the area that a plan needs: around all sensors, with the greatest range on each side.
   *
   * @param givenRange the range of sensors that have none of their own
   * @throws IllegalArgumentException if the sensors are in a plane
   */
  public static GeoBox area(SensorField sensors, double givenRange) {
    double range = sensors.equipment().greatestRange(givenRange);
    Projection projection =
        sensors
            .projection()
            .orElseThrow(() ->
                new IllegalArgumentException("terrain needs sensors in degrees, not in a plane"));
    double middle = projection.longitude();
    double west = Double.POSITIVE_INFINITY;
    double east = Double.NEGATIVE_INFINITY;
    double south = Double.POSITIVE_INFINITY;
    double north = Double.NEGATIVE_INFINITY;
    for (int sensor = 0; sensor < sensors.size(); sensor++) {
      Position place = projection.position(sensors.x(sensor), sensors.y(sensor));
      double longitude =
          middle + Math.IEEEremainder(place.longitude() - middle, GeoBox.FULL_CIRCLE);
      west = Math.min(west, longitude);
      east = Math.max(east, longitude);
      south = Math.min(south, place.latitude());
      north = Math.max(north, place.latitude());
    }
    double high = range / METRES_PER_DEGREE;
    double greatest = Math.max(Math.abs(south), Math.abs(north));
    double wide = high / Math.max(MIN_COSINE, Math.cos(Math.toRadians(greatest)));
    return new GeoBox(west - wide, south - high, east + wide, north + high);
  }

  /** Reports progress to a receiver from now on. */
  public void onProgress(Progress receiver) {
    progress = receiver;
  }

  /**
   * Uses existing relays from now on, which cost nothing. No more relays are placed than without
   * them. Those that are linked with the network are the last relays of a plan.
   *
   * @param relays the existing relays in the coordinates of the field: {@link
   *     SensorField#alongside}. Those outside the heights are not used.
   * @throws IllegalArgumentException if one is at a point without a height; the message names it
   */
  public void useExisting(SensorField relays) {
    existing = Optional.of(relays);
    used =
        IntStream.range(0, relays.size())
            .filter(relay -> {
              Position place = projection.position(relays.x(relay), relays.y(relay));
              return elevation.isInside(place.latitude(), place.longitude());
            })
            .peek(relay -> requireHeight("relay", relays, relay))
            .toArray();
  }

  /** Returns the number of the first station after sensors and existing relays. */
  private int firstCandidate() {
    return sensors.size() + used.length;
  }

  /** Leaves only the sensors and the existing relays as stations. */
  private void removeCandidates() {
    stations.truncate(sensors.size());
    for (int relay : used) {
      addOwn(existing.orElseThrow(), relay, 0);
    }
  }

  /** Returns the ids of existing relays, then those of sites. */
  private List<Optional<String>> ids(List<Optional<String>> sites) {
    List<Optional<String>> ids = new ArrayList<>();
    for (int relay : used) {
      ids.add(existing.map(relays -> relays.id(relay)));
    }
    ids.addAll(sites);
    return ids;
  }

  /** A search of a plan. */
  @FunctionalInterface
  private interface Search {
    TerrainPlan plan() throws UnreachableSensorsException;
  }

  /** Returns the cheapest plan, with existing relays or without. */
  private TerrainPlan better(Search search) throws UnreachableSensorsException {
    TerrainPlan plan = search.plan();
    int[] before = used;
    if (before.length == 0) {
      return plan;
    }
    used = new int[0];
    TerrainPlan without;
    try {
      without = search.plan();
    } catch (UnreachableSensorsException _) {
      return plan;
    } finally {
      used = before;
    }
    return without.plan().cost() < plan.plan().cost() ? extended(without) : plan;
  }

  /** Returns a plan that was made without existing relays, with those that are linked with it. */
  private TerrainPlan extended(TerrainPlan without) {
    removeCandidates();
    chosenStations.forEach(stations::add);
    List<Optional<String>> sites = without.plan().relays().stream().map(Relay::site).toList();
    StationGraph.Pairs pairs = stations.pairs(engine, radio, _ -> {});
    int[] placed = IntStream.range(firstCandidate(), stations.size()).toArray();
    TerrainPlan with =
        result(
            withExisting(placed, pairs),
            ids(sites),
            pairs,
            without.plan().groups(),
            without.flatRelays(),
            without.plan().spanningTreeRelays());
    return new TerrainPlan(
        with.plan(),
        with.links(),
        with.profiles(),
        with.flatRelays(),
        without.candidates(),
        without.pairs());
  }

  private void requireHeight(String kind, SensorField places, int place) {
    Position position = projection.position(places.x(place), places.y(place));
    if (!elevation.covers(position.latitude(), position.longitude())) {
      throw new IllegalArgumentException(
          "%s '%s' is %s"
              .formatted(
                  kind,
                  places.id(place),
                  elevation.isInside(position.latitude(), position.longitude())
                      ? "at a point without a height"
                      : "outside the heights"));
    }
  }

  /**
   * Plans relays at any places.
   *
   * @throws UnreachableSensorsException if relays at all candidates do not connect the sensors
   * @throws IllegalArgumentException as {@link RelayPlanner}, or if there are more than {@link
   *     #MAX_CANDIDATES}
   */
  public TerrainPlan plan() throws UnreachableSensorsException {
    return better(this::anywhere);
  }

  private TerrainPlan anywhere() throws UnreachableSensorsException {
    RelayPlanner flat = flat();
    RelayPlan plain =
        used.length > 0
            ? flat.plan(PlanMethod.BEST_STARS, existing.orElseThrow().equipped(Equipment.USUAL))
            : flat.plan(PlanMethod.BEST_STARS);
    List<Position> guides = new ArrayList<>(plain.positions());
    for (int sensor = 0; sensor < sensors.size(); sensor++) {
      guides.add(projection.position(sensors.x(sensor), sensors.y(sensor)));
    }
    double reach = FIRST_REACH * radio.range();
    int squares = SQUARES;
    while (true) {
      Candidates high = new Candidates(elevation, radio.range() / squares);
      int relaysOfPlain = addCandidates(plain, high.near(guides, reach));
      boolean isFinest =
          squares == MAX_SQUARES || stations.size() - firstCandidate() > MANY_CANDIDATES;
      Optional<TerrainPlan> result =
          solve(
              ids(Collections.nCopies(stations.size() - firstCandidate(), Optional.empty())),
              relaysOfPlain,
              plain.placed(),
              flat.spanningTreeRelays(),
              high.isAll(reach) && isFinest);
      if (result.isPresent()) {
        return result.get();
      }
      if (high.isAll(reach)) {
        // A valley may be in sight of lower places only.
        squares *= 2;
      } else {
        reach *= 2;
      }
    }
  }

  /** Returns a planner over a plain, where all stations have the same range. */
  private RelayPlanner flat() {
    return new RelayPlanner(engine, sensors.equipped(Equipment.USUAL), radio.range());
  }

  /** Adds all candidates; returns the number of first ones, which are the plan over a plain. */
  private int addCandidates(RelayPlan plain, List<Position> high) {
    removeCandidates();
    int relaysOfPlain = addPlain(plain);
    for (int sensor = 0; sensor < sensors.size(); sensor++) {
      boolean isAsRelay =
          sensors.equipment().height(sensor, radio.sensorHeight()) == radio.relayHeight()
              && sensors.equipment().range(sensor, radio.range()) >= radio.range();
      if (!isAsRelay) {
        addRelay(sensors.x(sensor), sensors.y(sensor));
      }
    }
    for (Position place : high) {
      double[] at = projection.place(place.latitude(), place.longitude());
      addRelay(at[0], at[1]);
    }
    requireFew();
    return relaysOfPlain;
  }

  private void requireFew() {
    int candidates = stations.size() - firstCandidate();
    if (candidates > MAX_CANDIDATES) {
      throw new IllegalArgumentException(
          "%,d places for relays, more than %,d".formatted(candidates, MAX_CANDIDATES));
    }
  }

  /** Adds the relays of a plan over a plain, where there are heights; returns their number. */
  private int addPlain(RelayPlan plain) {
    int before = stations.size();
    List<Position> positions = plain.positions();
    for (int relay = 0; relay < positions.size(); relay++) {
      boolean isNew = plain.relays().get(relay).kind() != Relay.Kind.EXISTING;
      if (isNew
          && elevation.covers(positions.get(relay).latitude(), positions.get(relay).longitude())) {
        addRelay(plain.relays().get(relay).x(), plain.relays().get(relay).y());
      }
    }
    return stations.size() - before;
  }

  private void addRelay(double x, double y) {
    stations.add(x, y, radio.relayHeight(), radio.range(), 1);
  }

  /** Adds a relay with what its place has of its own. */
  private void addOwn(SensorField places, int place, double cost) {
    stations.add(
        places.x(place),
        places.y(place),
        places.equipment().height(place, radio.relayHeight()),
        places.equipment().range(place, radio.range()),
        cost);
  }

  /**
   * Plans relays on given sites only, with the least sum of their costs.
   *
   * @param sites the sites in the coordinates of the field: {@link SensorField#alongside}
   * @throws UnreachableSensorsException if relays on all sites do not connect the sensors
   * @throws IllegalArgumentException if a site is where there are no heights, or there are more
   *     than {@link #MAX_CANDIDATES}
   */
  public TerrainPlan plan(SensorField sites) throws UnreachableSensorsException {
    return better(() -> onSites(sites));
  }

  private TerrainPlan onSites(SensorField sites) throws UnreachableSensorsException {
    RelayPlanner flat = flat();
    removeCandidates();
    List<Optional<String>> ids = new ArrayList<>();
    for (int site = 0; site < sites.size(); site++) {
      requireHeight("site", sites, site);
      addOwn(sites, site, sites.equipment().cost(site));
      ids.add(Optional.of(sites.id(site)));
    }
    requireFew();
    return solve(ids(ids), 0, flat.spanningTreeRelays(), flat.spanningTreeRelays(), true)
        .orElseThrow();
  }

  /**
   * Finds a plan, or returns empty if there is none and more candidates may be added.
   *
   * @param sites the id of each existing relay, and the site of each candidate
   * @param started the number of first candidates that are the plan over a plain
   */
  private Optional<TerrainPlan> solve(
      List<Optional<String>> sites, int started, int flatRelays, int treeRelays, boolean isLast)
      throws UnreachableSensorsException {
    int total = stations.size();
    StationGraph.Pairs pairs =
        stations.pairs(engine, radio, done -> progress.at("lines of sight", (int) done, total));
    int[] groups = groupsOfSensors(pairs);
    Groups ofSensors = Groups.of(groups);
    int[] nodes = new int[total];
    double[] costs = new double[ofSensors.count() + total - sensors.size()];
    for (int station = 0; station < total; station++) {
      boolean isSensor = station < sensors.size();
      nodes[station] =
          isSensor ? ofSensors.of(station) : ofSensors.count() + station - sensors.size();
      if (!isSensor) {
        costs[nodes[station]] = stations.get(station).cost();
      }
    }
    progress.at("relays", 0, 1);
    NodeSteinerTree tree =
        new NodeSteinerTree(pairs.graph(costs.length, nodes), ofSensors.count(), costs);
    BitSet plain = new BitSet();
    int first = ofSensors.count() + firstCandidate() - sensors.size();
    plain.set(first, first + started);
    Optional<int[]> chosen =
        tree.solve(started == 0 ? List.of(new BitSet()) : List.of(new BitSet(), plain));
    if (chosen.isEmpty()) {
      if (!isLast) {
        return Optional.empty();
      }
      int[] left = tree.unreachable();
      throw new UnreachableSensorsException(
          sites.stream().skip(firstCandidate() - sensors.size()).anyMatch(Optional::isPresent)
              ? "sites"
              : "high places",
          left[0],
          sensors.id(0),
          sensors.id(ofSensors.first(left[1])));
    }
    int[] relays =
        IntStream.of(chosen.get()).map(node -> node - ofSensors.count() + sensors.size()).toArray();
    return Optional.of(
        result(withExisting(relays, pairs), sites, pairs, ofSensors, flatRelays, treeRelays));
  }

  /** Adds the existing relays that are linked with chosen ones or with sensors. */
  private int[] withExisting(int[] chosen, StationGraph.Pairs pairs) {
    BitSet linked = new BitSet();
    linked.set(0, sensors.size());
    IntStream.of(chosen).forEach(linked::set);
    int before;
    do {
      before = linked.cardinality();
      for (int pair = 0; pair < pairs.count(); pair++) {
        boolean isFromUsed = linked.get(pairs.from(pair));
        int other = isFromUsed ? pairs.to(pair) : pairs.from(pair);
        if (isFromUsed != linked.get(pairs.to(pair)) && other < firstCandidate()) {
          linked.set(other);
        }
      }
    } while (linked.cardinality() > before);
    linked.clear(0, sensors.size());
    return linked.stream().toArray();
  }

  private int[] groupsOfSensors(StationGraph.Pairs pairs) {
    int[] sets = IntStream.range(0, sensors.size()).toArray();
    for (int pair = 0; pair < pairs.count(); pair++) {
      if (pairs.to(pair) < sensors.size()) {
        int a = find(sets, pairs.from(pair));
        int b = find(sets, pairs.to(pair));
        sets[Math.max(a, b)] = Math.min(a, b);
      }
    }
    return IntStream.range(0, sensors.size()).map(sensor -> find(sets, sensor)).toArray();
  }

  private static int find(int[] sets, int member) {
    int at = member;
    while (sets[at] != at) {
      sets[at] = sets[sets[at]];
      at = sets[at];
    }
    return at;
  }

  private TerrainPlan result(
      int[] chosen,
      List<Optional<String>> sites,
      StationGraph.Pairs pairs,
      Groups groups,
      int flatRelays,
      int treeRelays) {
    List<int[]> edges = spanningTree(chosen, pairs);
    int[] degrees = new int[stations.size()];
    edges.forEach(edge -> {
      degrees[edge[0]]++;
      degrees[edge[1]]++;
    });
    // Relays that join three or more come first, as in other plans, and existing ones last.
    int[] ordered =
        IntStream.of(chosen)
            .boxed()
            .sorted(
                Comparator.comparing((Integer station) -> station < firstCandidate())
                    .thenComparing(station -> degrees[station] < 3))
            .mapToInt(Integer::intValue)
            .toArray();
    int[] numbers = new int[stations.size()];
    Arrays.setAll(numbers, station -> station);
    List<Relay> relays = new ArrayList<>();
    List<Stations.Station> chosenNow = new ArrayList<>();
    for (int station : ordered) {
      Stations.Station at = stations.get(station);
      chosenNow.add(at);
      numbers[station] = sensors.size() + relays.size();
      Optional<String> site = sites.get(station - sensors.size());
      Relay.Kind kind =
          station < firstCandidate()
              ? Relay.Kind.EXISTING
              : site.isPresent()
                  ? Relay.Kind.SITE
                  : degrees[station] < 3 ? Relay.Kind.LINK : Relay.Kind.STAR;
      OptionalDouble range =
          at.range() == radio.range() ? OptionalDouble.empty() : OptionalDouble.of(at.range());
      relays.add(new Relay(at.x(), at.y(), kind, site, range, at.cost()));
    }
    chosenStations = chosenNow;
    List<RelayPlan.Link> links = new ArrayList<>();
    List<Profile> profiles = new ArrayList<>();
    SightPaths paths = Stations.paths(radio);
    for (int[] edge : edges) {
      int a = edge[0];
      int b = edge[1];
      boolean isTurned = numbers[a] > numbers[b];
      double length = stations.distance(a, b);
      links.add(
          new RelayPlan.Link(
              Math.min(numbers[a], numbers[b]), Math.max(numbers[a], numbers[b]), length));
      stations.addPath(paths, a, b, length);
      boolean isReversed = Arrays.compare(stations.get(a).end(), stations.get(b).end()) > 0;
      Profile profile =
          Profile.of(elevation.grid(), paths, paths.count() - 1, isTurned != isReversed);
      if (!(profile.margin() >= 0)) {
        throw new IllegalStateException(
            "link %d of the plan is obstructed by %s m".formatted(links.size(), profile.margin()));
      }
      profiles.add(profile);
    }
    return new TerrainPlan(
        new RelayPlan(sensors, radio.range(), relays, groups, treeRelays),
        links,
        profiles,
        flatRelays,
        stations.size() - firstCandidate(),
        pairs.count());
  }

  /** Returns the links of a minimum spanning tree of sensors and chosen relays. */
  private List<int[]> spanningTree(int[] chosen, StationGraph.Pairs pairs) {
    BitSet isUsed = new BitSet();
    isUsed.set(0, sensors.size());
    IntStream.of(chosen).forEach(isUsed::set);
    int[] order =
        IntStream.range(0, pairs.count())
            .filter(pair -> isUsed.get(pairs.from(pair)) && isUsed.get(pairs.to(pair)))
            .boxed()
            .sorted(
                Comparator.comparingDouble((Integer pair) -> pairs.length(pair))
                    .thenComparingInt(pairs::from)
                    .thenComparingInt(pairs::to))
            .mapToInt(Integer::intValue)
            .toArray();
    int[] sets = IntStream.range(0, stations.size()).toArray();
    List<int[]> edges = new ArrayList<>();
    for (int pair : order) {
      int a = find(sets, pairs.from(pair));
      int b = find(sets, pairs.to(pair));
      if (a != b) {
        sets[Math.max(a, b)] = Math.min(a, b);
        edges.add(new int[] {pairs.from(pair), pairs.to(pair)});
      }
    }
    if (edges.size() != sensors.size() + chosen.length - 1) {
      throw new IllegalStateException(
          "%d relays leave %d networks"
              .formatted(chosen.length, sensors.size() + chosen.length - edges.size()));
    }
    return edges;
  }
}
