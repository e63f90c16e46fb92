package io.fieldstone.relays;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.stars.StarVisitor;
import io.fieldstone.plane.Triangle;
import io.fieldstone.relays.graph.DisjointSets;
import io.fieldstone.relays.graph.Links;
import io.fieldstone.stream.Tasks;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Plans relays by {@link PlanMethod#BEST_STARS}. */
final class BestStars {

  /** The maximum number of stars in a round, which bounds the memory. */
  private static final int MAX_STARS = 1 << 23;

  /** The number of places that are examined at once. */
  private static final int STEP_PLACES = 1 << 17;

  /** The number of places that a thread examines at once. */
  private static final int TASK_PLACES = 1 << 10;

  /** The fixed seed, so that a field always has the same plan. */
  private static final long SEED = 3;

  /** Stands for the first new relay of a round that examines all places. */
  private static final int ALL = -1;

  private final Engine engine;
  private final SensorField field;
  private final double range;
  private final Groups groups;

  /** The minimum spanning tree of the groups. */
  private final List<SpanningTree.Edge> tree;

  /** The relays so far. */
  private Placement placement;

  private final int maxStars;

  BestStars(
      Engine engine, SensorField field, double range, Groups groups, List<SpanningTree.Edge> tree) {
    this(engine, field, range, groups, tree, MAX_STARS);
  }

  /**
   * Creates a planner.
   *
   * @param tree the minimum spanning tree of the groups
   * @param maxStars the maximum number of stars in a round; the others wait for the next round
   */
  BestStars(
      Engine engine,
      SensorField field,
      double range,
      Groups groups,
      List<SpanningTree.Edge> tree,
      int maxStars) {
    this.tree = tree;
    this.engine = engine;
    this.field = field;
    this.range = range;
    this.groups = groups;
    this.placement = new Placement(field, range, groups);
    this.maxStars = maxStars;
  }

  List<Relay> relays() {
    int firstNew = ALL;
    int placed;
    do {
      placed = placement.relays().size();
      boolean isComplete = round(firstNew);
      // Existing relays are points of the next round.
      firstNew = isComplete ? placed : ALL;
    } while (placement.relays().size() > placed && placement.networks() > 2);
    Reached reached = settled();
    double[] xs = placement.xs();
    double[] ys = placement.ys();
    DisjointSets networks = placement.networksOfPoints();
    int[] ofPoints = IntStream.range(0, xs.length).map(networks::find).toArray();
    BoxTree boxes = SpanningTree.boxes(engine.threads(), xs, ys);
    List<SpanningTree.Edge> edges =
        SpanningTreeExtension.of(engine, boxes, xs, ys, networks, tree, field.size());
    Placement stars = placement.copy();
    links(reached, edges, xs, ys);
    List<Relay> linked = pruned();
    if (stars.networks() < StarChoice.MIN_NETWORKS) {
      return linked;
    }
    placement = stars;
    branches(reached, SteinerTree.of(engine, boxes, xs, ys, ofPoints, edges, range));
    List<Relay> branched = pruned();
    return linked.size() <= branched.size()
        ? linked
        : branched.stream().sorted(Comparator.comparing(Relay::kind)).toList();
  }

  private List<Relay> pruned() {
    return Pruning.pruned(engine, field, range, groups, placement.relays());
  }

  /**
   * Places the best stars; after a complete round, only new relays can add stars.
   *
   * @param firstNew the first new relay, or {@link #ALL} to examine all places
   * @return false if stars beyond the maximum wait for the next round
   */
  private boolean round(int firstNew) {
    Reached reached = settled();
    Candidates candidates = new Candidates(reached.neighbours);
    double[] xs = placement.xs();
    double[] ys = placement.ys();
    StarVisitor visitor =
        (a, b, c) ->
            candidates.add(
                StarPlaces.centre(new Triangle(xs[a], ys[a], xs[b], ys[b], xs[c], ys[c])));
    if (firstNew == ALL) {
      StarPlaces.forEach(engine, placement, visitor);
    } else {
      StarPlaces.forEachWithRelay(engine, placement, firstNew, visitor);
    }
    candidates.examine();
    for (int star : candidates.choice.best(new SplittableRandom(SEED))) {
      double x = candidates.xs[star];
      double y = candidates.ys[star];
      reached.from(x, y);
      placement.place(Relay.anywhere(x, y, Relay.Kind.STAR), reached.points[0]);
      reached.joinAll();
    }
    return candidates.isComplete;
  }

  /** The stars of a round, one for each set of networks. */
  private final class Candidates {
    private final Neighbours neighbours;
    private final StarChoice choice = new StarChoice(groups.count());
    private final Set<IntBuffer> known = new HashSet<>();
    private double[] xs = new double[1 << 10];
    private double[] ys = new double[1 << 10];
    private boolean isComplete = true;

    /** The places that are not examined yet, x and y. */
    private final double[][] places = new double[STEP_PLACES][];

    private int count;

    Candidates(Neighbours neighbours) {
      this.neighbours = neighbours;
    }

    void add(double[] place) {
      places[count] = place;
      count++;
      if (count == STEP_PLACES) {
        examine();
      }
    }

    /** Adds the places to the choice that join several networks. */
    void examine() {
      int[][] networks = networksOfPlaces();
      for (int i = 0; i < count; i++) {
        if (networks[i].length >= StarChoice.MIN_NETWORKS && isNew(setOf(networks[i]))) {
          int star = choice.add(networks[i], networks[i].length);
          if (star == xs.length) {
            xs = Arrays.copyOf(xs, 2 * star);
            ys = Arrays.copyOf(ys, 2 * star);
          }
          xs[star] = places[i][0];
          ys[star] = places[i][1];
        }
      }
      count = 0;
    }

    private boolean isNew(IntBuffer set) {
      if (known.size() < maxStars) {
        return known.add(set);
      }
      isComplete &= known.contains(set);
      return false;
    }

    /** Returns the networks that relays at the places would join. */
    private int[][] networksOfPlaces() {
      int[][] networks = new int[count][];
      Tasks.forEachRange(
          engine.threads(),
          count,
          TASK_PLACES,
          (from, to) -> {
            Reached reached = new Reached(neighbours);
            for (int i = from; i < to; i++) {
              int joined = reached.from(places[i][0], places[i][1]);
              networks[i] =
                  Arrays.stream(reached.points, 0, joined).map(placement::network).toArray();
            }
          });
      return networks;
    }
  }

  private static IntBuffer setOf(int[] networks) {
    return IntBuffer.wrap(Arrays.stream(networks).sorted().toArray());
  }

  /** Joins the networks that existing relays reach, and returns a finder of reached networks. */
  private Reached settled() {
    Reached reached = new Reached(placement.neighbours(engine));
    for (Relay relay : placement.relays()) {
      reached.from(relay.x(), relay.y());
      reached.joinAll();
    }
    return reached;
  }

  /**
   * Links the remaining networks, shortest gaps first; relays of a link join all that they reach.
   *
   * @param edges the minimum spanning tree of the networks
   */
  private void links(Reached reached, List<SpanningTree.Edge> edges, double[] xs, double[] ys) {
    for (SpanningTree.Edge edge : edges) {
      if (!placement.joined(edge.a(), edge.b())) {
        placement.link(edge.a(), edge.b(), xs, ys, relay -> joinReached(reached, relay, edge.a()));
      }
    }
  }

  private void joinReached(Reached reached, int relay, int linked) {
    Relay placed = placement.relays().get(relay);
    if (reached.from(placed.x(), placed.y()) > 0) {
      reached.joinAll();
      placement.join(linked, reached.points[0]);
    }
  }

  /** Links the remaining networks along the edges of a tree that branches at other points, too. */
  private void branches(Reached reached, SteinerTree.Tree tree) {
    List<SpanningTree.Edge> edges = tree.edges();
    // Nodes are the networks and Steiner points, by a point of each, then the edges.
    Links.Builder builder = new Links.Builder(tree.points() + edges.size());
    for (int i = 0; i < edges.size(); i++) {
      builder.add(tree.node(edges.get(i).a()), tree.points() + i);
      builder.add(tree.node(edges.get(i).b()), tree.points() + i);
    }
    Links links = builder.build();
    int[] placed = IntStream.range(0, tree.points()).toArray();
    boolean[] isDone = new boolean[edges.size()];
    int[] queue = new int[tree.points()];
    queue[0] = tree.node(0);
    int count = 1;
    for (int next = 0; next < count; next++) {
      for (int link = links.start(queue[next]); link < links.start(queue[next] + 1); link++) {
        int number = links.end(link) - tree.points();
        if (!isDone[number]) {
          isDone[number] = true;
          SpanningTree.Edge edge = edges.get(number);
          boolean isForward = tree.node(edge.a()) == queue[next];
          int from = isForward ? edge.a() : edge.b();
          int to = isForward ? edge.b() : edge.a();
          branch(reached, tree, placed, from, to);
          queue[count] = tree.node(to);
          count++;
        }
      }
    }
  }

  /**
   * Links two points of a tree, of which the first is placed.
   *
   * @param placed the placed point of each point of the tree
   */
  private void branch(Reached reached, SteinerTree.Tree tree, int[] placed, int from, int to) {
    int start = placed[from];
    if (tree.isSteiner(to)) {
      placed[to] = placement.points();
      placement.place(Relay.anywhere(tree.x(to), tree.y(to), Relay.Kind.STAR), start);
      joinReached(reached, placement.relays().size() - 1, start);
    } else if (placement.joined(start, to)) {
      return;
    }
    placement.chain(
        start,
        tree.relaysBetween(from, to, range),
        new double[] {tree.x(from), tree.x(to)},
        new double[] {tree.y(from), tree.y(to)},
        relay -> joinReached(reached, relay, start));
    placement.join(start, placed[to]);
  }

  /** Finds one point of each network that a relay at a place reaches. */
  private final class Reached {
    private final Neighbours neighbours;
    private int[] points = new int[StarChoice.MIN_NETWORKS];
    private int networks;

    Reached(Neighbours neighbours) {
      this.neighbours = neighbours;
    }

    /** Searches from a place; returns the number of networks. */
    int from(double x, double y) {
      networks = 0;
      neighbours.forEachNear(x, y, placement.reach(), this::reach);
      return networks;
    }

    private void reach(int point) {
      for (int i = 0; i < networks; i++) {
        if (placement.joined(points[i], point)) {
          return;
        }
      }
      if (networks == points.length) {
        points = Arrays.copyOf(points, 2 * networks);
      }
      points[networks] = point;
      networks++;
    }

    void joinAll() {
      for (int i = 1; i < networks; i++) {
        placement.join(points[0], points[i]);
      }
    }
  }
}
