package io.fieldstone.relays;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.stars.StarVisitor;
import io.fieldstone.plane.Triangle;
import io.fieldstone.stream.Tasks;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** Plans relays by {@link PlanMethod#BEST_STARS}. */
final class BestStars {

  /** The maximum number of places examined in a round; the others wait for the next round. */
  private static final int MAX_PLACES = 1 << 23;

  /** The number of places whose networks are in memory at once. */
  private static final int STEP_PLACES = 1 << 17;

  /** The number of places that a thread examines at once. */
  private static final int TASK_PLACES = 1 << 10;

  /** The fixed seed, so that a field always has the same plan. */
  private static final long SEED = 3;

  private final Engine engine;
  private final SensorField field;
  private final double range;
  private final Groups groups;
  private final Placement placement;
  private double[] places = new double[1 << 10];
  private int count;

  BestStars(Engine engine, SensorField field, double range, Groups groups) {
    this.engine = engine;
    this.field = field;
    this.range = range;
    this.groups = groups;
    this.placement = new Placement(field, range, groups);
  }

  List<Relay> relays() {
    int firstNew = 0;
    int placed;
    do {
      placed = placement.relays().size();
      round(firstNew);
      firstNew = placed;
      // Existing relays are points of the next round.
    } while (placement.relays().size() > placed && placement.networks() > 2);
    links();
    return Pruning.pruned(engine, field, range, groups, placement.relays());
  }

  /** Places the best stars; after the first round, only new relays can add stars. */
  private void round(int firstNew) {
    Reached reached = settled();
    collectPlaces(firstNew);
    StarChoice choice = new StarChoice(groups.count());
    Set<IntBuffer> known = new HashSet<>();
    int[] numbers = new int[count];
    for (int first = 0; first < count; first += STEP_PLACES) {
      int[][] networks = networksOfPlaces(reached.neighbours, first);
      for (int i = 0; i < networks.length; i++) {
        if (networks[i].length >= StarChoice.MIN_NETWORKS && known.add(setOf(networks[i]))) {
          numbers[choice.add(networks[i], networks[i].length)] = first + i;
        }
      }
    }
    for (int star : choice.best(new SplittableRandom(SEED))) {
      double x = places[2 * numbers[star]];
      double y = places[2 * numbers[star] + 1];
      reached.from(x, y);
      placement.place(Relay.anywhere(x, y, Relay.Kind.STAR), reached.points[0]);
      reached.joinAll();
    }
  }

  /** Returns the networks that relays at some places would join, for a step of places. */
  private int[][] networksOfPlaces(Neighbours neighbours, int first) {
    int[][] networks = new int[Math.min(STEP_PLACES, count - first)][];
    Tasks.forEachRange(
        engine.threads(),
        networks.length,
        TASK_PLACES,
        (from, to) -> {
          Reached reached = new Reached(neighbours);
          for (int i = from; i < to; i++) {
            int joined = reached.from(places[2 * (first + i)], places[2 * (first + i) + 1]);
            networks[i] =
                Arrays.stream(reached.points, 0, joined).map(placement::network).toArray();
          }
        });
    return networks;
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

  private void collectPlaces(int firstNew) {
    count = 0;
    double[] xs = placement.xs();
    double[] ys = placement.ys();
    StarVisitor visitor =
        (a, b, c) -> {
          if (count < MAX_PLACES) {
            add(StarPlaces.centre(new Triangle(xs[a], ys[a], xs[b], ys[b], xs[c], ys[c])));
          }
        };
    if (placement.relays().isEmpty()) {
      StarPlaces.forEach(engine, placement, visitor);
    } else {
      StarPlaces.forEachWithRelay(engine, placement, firstNew, visitor);
    }
  }

  private void add(double[] place) {
    if (2 * count == places.length) {
      places = Arrays.copyOf(places, 2 * places.length);
    }
    places[2 * count] = place[0];
    places[2 * count + 1] = place[1];
    count++;
  }

  /**
   * Links the remaining networks, shortest gaps first; relays of a link join all that they reach.
   */
  private void links() {
    Reached reached = settled();
    double[] xs = placement.xs();
    double[] ys = placement.ys();
    List<SpanningTree.Edge> edges = SpanningTree.join(engine, xs, ys, placement.networksOfPoints());
    for (SpanningTree.Edge edge : edges) {
      if (!placement.joined(edge.a(), edge.b())) {
        placement.link(
            edge.a(),
            edge.b(),
            xs,
            ys,
            relay -> {
              Relay placed = placement.relays().get(relay);
              if (reached.from(placed.x(), placed.y()) > 0) {
                reached.joinAll();
                placement.join(edge.a(), reached.points[0]);
              }
            });
      }
    }
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
