package io.fieldstone.relays;

import io.fieldstone.engine.Engine;
import io.fieldstone.relays.graph.DisjointSets;
import io.fieldstone.stream.Tasks;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Searches a short tree that joins networks of points and may branch at other points, Steiner
 * points. It needs fewer relays than a spanning tree where gaps are longer than 2R.
 *
 * <p>Each round computes the minimum spanning tree of all points, moves each Steiner point to the
 * Fermat point of its neighbours, and removes those that join fewer than three. Then it adds the
 * Fermat points of triples that shorten the tree most, each by the two longest edges that it makes
 * redundant, less its own edges. A triple is an edge of the tree and a point near it. Small trees
 * are searched again from the best, without some of its Steiner points.
 *
 * <p>Of all rounds the tree with the fewest relays counts. For that, Steiner points move to where
 * their edges have whole numbers of ranges, and those that save no relay are removed. Sources: J.
 * M. Smith, D. T. Lee and J. S. Liebman, Networks 11 (1981), pp. 23–39 (insertion of Fermat
 * points); A. B. Kahng and G. Robins, IEEE Transactions on CAD 11 (1992), pp. 893–902 (rounds). For
 * one thread.
 */
final class SteinerTree {

  /** The nearest points of other networks that are considered for each point. */
  private static final int NEAREST = 5;

  /** The neighbours in the tree that are considered for each point. */
  private static final int MAX_ADJACENT = 6;

  private static final int NEAR = NEAREST + MAX_ADJACENT;

  /** The maximum number of edges of a Steiner point: a spanning tree has no more than six. */
  private static final int MAX_DEGREE = 8;

  private static final int MAX_SWEEPS = 30;

  /** The number of edges that are searched in all rounds together: some tenths of a second. */
  private static final int SEARCHED_EDGES = 40_000;

  /** The least number of rounds, also of large trees. */
  private static final int MIN_ROUNDS = 1;

  private static final int MAX_ROUNDS = 100;

  /** The rounds without progress before Steiner points are removed. */
  private static final int PATIENCE = 2;

  /** The edges whose triples a thread searches at once. */
  private static final int TASK_EDGES = 1 << 10;

  /** The least saving by a Steiner point, relative to the edges that it replaces. */
  private static final double MIN_SAVING = 1e-7;

  /** The fixed seed, so that a field always has the same plan. */
  private static final long SEED = 11;

  private static final int NONE = -1;

  private final Engine engine;
  private final double range;
  private final int given;

  /** The boxes of the given points, for all rounds. */
  private final BoxTree boxes;

  /** The first given point of the network of each given point. */
  private final int[] networks;

  /** The minimum spanning tree of the networks. */
  private final List<SpanningTree.Edge> spanning;

  /** The current tree. */
  private Tree tree;

  private Tree best;
  private long bestRelays;
  private double bestLength;

  private SteinerTree(
      Engine engine,
      BoxTree boxes,
      int[] networks,
      double range,
      List<SpanningTree.Edge> spanning,
      Tree first) {
    this.spanning = spanning;
    this.engine = engine;
    this.boxes = boxes;
    this.given = networks.length;
    this.networks = networks;
    this.range = range;
    this.tree = first;
    this.best = first;
    this.bestRelays = first.relays(range);
    this.bestLength = first.length();
  }

  /**
   * Returns a tree.
   *
   * @param boxes the {@link SpanningTree#boxes} of the points
   * @param networks a point of the network of each point, the same for all of a network
   * @param spanning the minimum spanning tree of the networks
   * @param range the range R: an edge of length L takes ⌈L / R⌉ − 1 relays
   */
  static Tree of(
      Engine engine,
      BoxTree boxes,
      double[] xs,
      double[] ys,
      int[] networks,
      List<SpanningTree.Edge> spanning,
      double range) {
    SteinerTree search =
        new SteinerTree(
            engine,
            boxes,
            networks,
            range,
            spanning,
            new Tree(xs, ys, xs.length, spanning, networks));
    search.search();
    return search.best;
  }

  private void search() {
    SplittableRandom random = new SplittableRandom(SEED);
    int rounds = Math.clamp(SEARCHED_EDGES / Math.max(1, spanning.size()), MIN_ROUNDS, MAX_ROUNDS);
    int idle = 0;
    double shortest = Double.POSITIVE_INFINITY;
    Tree start = tree;
    for (int round = 0; round < rounds; round++) {
      boolean isChanged = insert();
      if (isChanged) {
        tree = respanned();
        tree.settle();
        keep(tree);
      }
      double length = tree.length();
      if (length < shortest * (1 - MIN_SAVING)) {
        shortest = length;
        start = tree;
        idle = 0;
      } else {
        idle++;
      }
      if (!isChanged || idle >= PATIENCE) {
        idle = 0;
        tree = start.without(random);
        if (tree == start) {
          return;
        }
        tree = respanned();
        tree.settle();
      }
    }
  }

  /** Keeps a tree if it takes fewer relays than the best. */
  private void keep(Tree candidate) {
    Tree rounded = candidate.copy();
    rounded.round(range);
    long relays = rounded.relays(range);
    double length = rounded.length();
    if (relays < bestRelays || (relays == bestRelays && length < bestLength)) {
      best = rounded;
      bestRelays = relays;
      bestLength = length;
    }
  }

  /** Returns the minimum spanning tree of the points of the current tree. */
  private Tree respanned() {
    Tree compact = tree.compact();
    int points = compact.points;
    DisjointSets sets = new DisjointSets(points);
    for (int point = 0; point < given; point++) {
      sets.join(networks[point], point);
    }
    double[] xs = Arrays.copyOf(compact.xs, points);
    double[] ys = Arrays.copyOf(compact.ys, points);
    return new Tree(
        xs,
        ys,
        given,
        SpanningTreeExtension.of(engine, boxes, xs, ys, sets, spanning, given),
        networks);
  }

  /** Adds the Fermat points that shorten the tree; returns false if there are none. */
  private boolean insert() {
    Triples triples = new Triples(engine, tree);
    long[] order = triples.search();
    boolean[] used = new boolean[tree.edges];
    double[] place = new double[2];
    boolean isAny = false;
    Tree grown = tree.copy();
    for (long item : order) {
      int triple = (int) item;
      int edge = triple / (2 * NEAR);
      int a = tree.from[edge];
      int b = tree.to[edge];
      int c = triples.third(triple);
      long redundant = triples.redundant(edge, tree.node(c));
      int longest = (int) (redundant >>> Integer.SIZE);
      int other = (int) redundant;
      if (!used[longest]
          && !used[other]
          && Fermat.place(
              tree.xs[a], tree.ys[a], tree.xs[b], tree.ys[b], tree.xs[c], tree.ys[c], place)) {
        used[longest] = true;
        used[other] = true;
        grown.add(place[0], place[1]);
        isAny = true;
      }
    }
    tree = grown;
    return isAny;
  }

  /** The triples of points whose Fermat points shorten a tree. */
  private static final class Triples {
    private final Engine engine;
    private final Tree tree;

    /** The points of edges, ascending, and the number of each among them. */
    private final int[] anchors;

    private final int[] numbers;

    /** The points near each anchor; {@link #NONE} after the last. */
    private final int[] near;

    /** The rank of each edge by length, and the edge of each rank. */
    private final int[] ranks;

    /** The parent of each point in the tree of merged components, and the rank of that merger. */
    private final int[] parents;

    private final int[] mergers;
    private final int[] byRank;

    Triples(Engine engine, Tree tree) {
      this.engine = engine;
      this.tree = tree;
      this.numbers = new int[tree.points];
      Arrays.fill(numbers, NONE);
      for (int edge = 0; edge < tree.edges; edge++) {
        numbers[tree.from[edge]] = 0;
        numbers[tree.to[edge]] = 0;
      }
      int count = 0;
      int[] found = new int[tree.points];
      for (int point = 0; point < tree.points; point++) {
        if (numbers[point] == 0) {
          numbers[point] = count;
          found[count] = point;
          count++;
        }
      }
      this.anchors = Arrays.copyOf(found, count);
      this.near = new int[count * NEAR];
      this.ranks = new int[tree.edges];
      this.byRank = new int[tree.edges];
      this.parents = new int[tree.points];
      this.mergers = new int[tree.points];
      findNear();
      merge();
    }

    private void findNear() {
      Arrays.fill(near, NONE);
      int[] adjacent = new int[anchors.length];
      for (int edge = 0; edge < tree.edges; edge++) {
        addAdjacent(adjacent, tree.from[edge], tree.to[edge]);
        addAdjacent(adjacent, tree.to[edge], tree.from[edge]);
      }
      double[] xs = Arrays.stream(anchors).mapToDouble(point -> tree.xs[point]).toArray();
      double[] ys = Arrays.stream(anchors).mapToDouble(point -> tree.ys[point]).toArray();
      BoxTree boxes =
          new BoxTree(
              engine.threads(), xs, ys, Integer.highestOneBit(Math.max(1, anchors.length / 4)));
      Tasks.forEachRange(
          threads(),
          anchors.length,
          TASK_EDGES,
          (from, to) -> {
            Nearest nearest = new Nearest(boxes, tree, anchors);
            for (int i = from; i < to; i++) {
              int found = nearest.of(anchors[boxes.order()[i]]);
              System.arraycopy(
                  nearest.points, 0, near, boxes.order()[i] * NEAR + MAX_ADJACENT, found);
            }
          });
    }

    private int threads() {
      return anchors.length > TASK_EDGES ? engine.threads() : 1;
    }

    private void addAdjacent(int[] adjacent, int point, int neighbour) {
      int number = numbers[point];
      if (adjacent[number] < MAX_ADJACENT) {
        near[number * NEAR + adjacent[number]] = neighbour;
        adjacent[number]++;
      }
    }

    /** Merges the components of the tree by Kruskal's method, the smaller into the larger. */
    private void merge() {
      double[] lengths = new double[tree.edges];
      for (int edge = 0; edge < tree.edges; edge++) {
        lengths[edge] = tree.length(edge);
      }
      int[] order = Binning.order(engine, bits(lengths));
      int[] sizes = new int[tree.points];
      for (int point = 0; point < tree.points; point++) {
        parents[point] = point;
        mergers[point] = Integer.MAX_VALUE;
        sizes[point] = 1;
      }
      for (int rank = 0; rank < order.length; rank++) {
        int edge = order[rank];
        ranks[edge] = rank;
        byRank[rank] = edge;
        int a = root(tree.node(tree.from[edge]));
        int b = root(tree.node(tree.to[edge]));
        int into = sizes[a] >= sizes[b] ? a : b;
        int from = a ^ b ^ into;
        parents[from] = into;
        mergers[from] = rank;
        sizes[into] += sizes[from];
      }
    }

    private static long[] bits(double[] lengths) {
      return Arrays.stream(lengths).mapToLong(Double::doubleToRawLongBits).toArray();
    }

    private int root(int node) {
      int at = node;
      while (parents[at] != at) {
        at = parents[at];
      }
      return at;
    }

    /** Returns the rank of the longest edge on the path between two nodes. */
    private int bottleneck(int a, int b) {
      int one = a;
      int two = b;
      int rank = NONE;
      while (one != two) {
        if (mergers[one] < mergers[two]) {
          rank = mergers[one];
          one = parents[one];
        } else {
          rank = mergers[two];
          two = parents[two];
        }
      }
      return rank;
    }

    /** Returns the third point of a triple. */
    int third(int triple) {
      int edge = triple / (2 * NEAR);
      int slot = triple % (2 * NEAR);
      int point = slot < NEAR ? tree.from[edge] : tree.to[edge];
      return near[numbers[point] * NEAR + slot % NEAR];
    }

    /** Returns the triples with a saving, those with the largest first, in the lower halves. */
    long[] search() {
      long[][] parts = new long[Math.ceilDiv(Math.max(1, tree.edges), TASK_EDGES)][0];
      Tasks.forEachRange(
          threads(),
          tree.edges,
          TASK_EDGES,
          (from, to) -> {
            long[] part = new long[to - from];
            int count = 0;
            for (int triple = 2 * NEAR * from; triple < 2 * NEAR * to; triple++) {
              float saving = saving(triple);
              if (saving > 0) {
                if (count == part.length) {
                  part = Arrays.copyOf(part, 2 * count);
                }
                // Descending by saving, then ascending by triple.
                part[count] =
                    (long) (Integer.MAX_VALUE - Float.floatToRawIntBits(saving)) << Integer.SIZE
                        | triple;
                count++;
              }
            }
            parts[from / TASK_EDGES] = Arrays.copyOf(part, count);
          });
      long[] all = Arrays.stream(parts).flatMapToLong(Arrays::stream).toArray();
      Arrays.sort(all);
      return all;
    }

    private float saving(int triple) {
      int edge = triple / (2 * NEAR);
      int a = tree.from[edge];
      int b = tree.to[edge];
      int c = third(triple);
      if (c == NONE || c == a || c == b) {
        return 0;
      }
      double length =
          Fermat.length(tree.xs[a], tree.ys[a], tree.xs[b], tree.ys[b], tree.xs[c], tree.ys[c]);
      if (length < 0) {
        return 0;
      }
      int node = tree.node(c);
      if (node == tree.node(a) || node == tree.node(b)) {
        return 0;
      }
      long redundant = redundant(edge, node);
      double replaced =
          tree.length((int) (redundant >>> Integer.SIZE)) + tree.length((int) redundant);
      return (float) Math.max(0, replaced * (1 - MIN_SAVING) - length);
    }

    /** Returns the two edges that a triple makes redundant, in the halves of a number. */
    long redundant(int edge, int node) {
      int toA = bottleneck(tree.node(tree.from[edge]), node);
      int toB = bottleneck(tree.node(tree.to[edge]), node);
      int own = ranks[edge];
      long longest = byRank[Math.max(own, Math.max(toA, toB))];
      int other = byRank[Math.min(own, Math.min(toA, toB))];
      return longest << Integer.SIZE | other;
    }
  }

  /** Finds the nearest points of other networks, one of each. For one thread. */
  private static final class Nearest {
    private final BoxTree boxes;
    private final Tree tree;
    private final int[] anchors;
    private final int[] points = new int[NEAREST];
    private final int[] nodes = new int[NEAREST];
    private final double[] squares = new double[NEAREST];
    private int count;
    private double x;
    private double y;
    private int own;

    Nearest(BoxTree boxes, Tree tree, int[] anchors) {
      this.boxes = boxes;
      this.tree = tree;
      this.anchors = anchors;
    }

    /** Returns the number of points that are found near a point. */
    int of(int point) {
      count = 0;
      x = tree.xs[point];
      y = tree.ys[point];
      own = tree.node(point);
      visit(BoxTree.ROOT);
      return count;
    }

    private double limit() {
      return count < NEAREST ? Double.POSITIVE_INFINITY : squares[NEAREST - 1];
    }

    private void visit(int node) {
      if (boxes.isLeaf(node)) {
        for (int i = boxes.start(node); i < boxes.end(node); i++) {
          double dx = boxes.xs()[i] - x;
          double dy = boxes.ys()[i] - y;
          double squared = dx * dx + dy * dy;
          if (squared < limit()) {
            consider(anchors[boxes.order()[i]], squared);
          }
        }
        return;
      }
      double left = boxes.squaredDistance(2 * node, x, y);
      double right = boxes.squaredDistance(2 * node + 1, x, y);
      int nearer = left <= right ? 2 * node : 2 * node + 1;
      if (Math.min(left, right) < limit()) {
        visit(nearer);
      }
      if (Math.max(left, right) < limit()) {
        visit(nearer ^ 1);
      }
    }

    private void consider(int point, double squared) {
      int node = tree.node(point);
      if (node == own) {
        return;
      }
      int at = 0;
      while (at < count && nodes[at] != node) {
        at++;
      }
      if (at == count) {
        count = Math.min(count + 1, NEAREST);
        at = count - 1;
      } else if (squares[at] <= squared) {
        return;
      }
      while (at > 0 && squares[at - 1] > squared) {
        points[at] = points[at - 1];
        nodes[at] = nodes[at - 1];
        squares[at] = squares[at - 1];
        at--;
      }
      points[at] = point;
      nodes[at] = node;
      squares[at] = squared;
    }
  }

  /** A tree of edges between points: first the given ones, then Steiner points. */
  static final class Tree {
    private final int given;
    private final int[] networks;
    private double[] xs;
    private double[] ys;
    private int points;
    private final int edges;
    private final int[] from;
    private final int[] to;
    private final boolean[] isEdge;

    /** The edges of each Steiner point, and their number; 0 if it was removed. */
    private final int[] incident;

    private final int[] degrees;

    private Tree(
        double[] xs, double[] ys, int given, List<SpanningTree.Edge> spanning, int[] networks) {
      this.given = given;
      this.networks = networks;
      this.xs = xs;
      this.ys = ys;
      this.points = xs.length;
      this.edges = spanning.size();
      this.from = spanning.stream().mapToInt(SpanningTree.Edge::a).toArray();
      this.to = spanning.stream().mapToInt(SpanningTree.Edge::b).toArray();
      this.isEdge = new boolean[edges];
      this.incident = new int[MAX_DEGREE * (points - given)];
      this.degrees = new int[points - given];
      Arrays.fill(isEdge, true);
      for (int edge = 0; edge < edges; edge++) {
        attach(from[edge], edge);
        attach(to[edge], edge);
      }
    }

    private Tree(Tree other) {
      this.given = other.given;
      this.networks = other.networks;
      this.xs = other.xs.clone();
      this.ys = other.ys.clone();
      this.points = other.points;
      this.edges = other.edges;
      this.from = other.from.clone();
      this.to = other.to.clone();
      this.isEdge = other.isEdge.clone();
      this.incident = other.incident.clone();
      this.degrees = other.degrees.clone();
    }

    Tree copy() {
      return new Tree(this);
    }

    /** Returns the node of a point: its network, or the Steiner point itself. */
    int node(int point) {
      return point < given ? networks[point] : point;
    }

    /** Returns the number of points; those from the number of given points on may be removed. */
    int points() {
      return points;
    }

    double x(int point) {
      return xs[point];
    }

    double y(int point) {
      return ys[point];
    }

    /** Returns whether a point is a Steiner point. */
    boolean isSteiner(int point) {
      return point >= given;
    }

    /** Returns the edges. */
    List<SpanningTree.Edge> edges() {
      return IntStream.range(0, edges)
          .filter(edge -> isEdge[edge])
          .mapToObj(edge -> new SpanningTree.Edge(from[edge], to[edge], length(edge)))
          .toList();
    }

    private double length(int edge) {
      return distance(from[edge], to[edge]);
    }

    private double distance(int a, int b) {
      double dx = xs[a] - xs[b];
      double dy = ys[a] - ys[b];
      return Math.sqrt(dx * dx + dy * dy);
    }

    double length() {
      double sum = 0;
      for (int edge = 0; edge < edges; edge++) {
        sum += isEdge[edge] ? length(edge) : 0;
      }
      return sum;
    }

    /** Returns the number of relays of all edges and Steiner points. */
    long relays(double range) {
      long sum = 0;
      for (int edge = 0; edge < edges; edge++) {
        sum += isEdge[edge] ? relaysBetween(from[edge], to[edge], range) : 0;
      }
      for (int degree : degrees) {
        sum += degree > 0 ? 1 : 0;
      }
      return sum;
    }

    /** Returns the number of relays between two points that are joined by an edge. */
    int relaysBetween(int a, int b, double range) {
      double length = distance(a, b);
      boolean areBothGiven = a < given && b < given;
      return areBothGiven ? Placement.relaysBetween(length, range) : relaysOn(length, range);
    }

    private static int relaysOn(double length, double range) {
      return length <= range * (1 + ConnectionTest.TOLERANCE / 4)
          ? 0
          : Placement.relaysBetween(length, range);
    }

    private void attach(int point, int edge) {
      if (point >= given) {
        int steiner = point - given;
        incident[MAX_DEGREE * steiner + degrees[steiner]] = edge;
        degrees[steiner]++;
      }
    }

    private void detach(int point, int edge) {
      if (point >= given) {
        int first = MAX_DEGREE * (point - given);
        int at = first;
        while (incident[at] != edge) {
          at++;
        }
        degrees[point - given]--;
        incident[at] = incident[first + degrees[point - given]];
      }
    }

    private void replace(int edge, int point, int by) {
      if (from[edge] == point) {
        from[edge] = by;
      } else {
        to[edge] = by;
      }
      attach(by, edge);
    }

    private int end(int edge, int point) {
      return from[edge] ^ to[edge] ^ point;
    }

    /** Returns an edge of a Steiner point. */
    private int edge(int point, int i) {
      return incident[MAX_DEGREE * (point - given) + i];
    }

    private int neighbour(int point, int i) {
      return end(edge(point, i), point);
    }

    /** Adds a Steiner point without edges, until a new tree spans it. */
    private void add(double x, double y) {
      if (points == xs.length) {
        xs = Arrays.copyOf(xs, points + Math.max(4, points / 2));
        ys = Arrays.copyOf(ys, xs.length);
      }
      xs[points] = x;
      ys[points] = y;
      points++;
    }

    /** Returns the points without the removed ones. */
    private Tree compact() {
      Tree result = copy();
      int count = given;
      for (int point = given; point < points; point++) {
        boolean isRemoved = point - given < degrees.length && degrees[point - given] == 0;
        if (!isRemoved) {
          result.xs[count] = xs[point];
          result.ys[count] = ys[point];
          count++;
        }
      }
      result.points = count;
      return result;
    }

    /** Returns a tree without some neighbouring Steiner points; this one if it has none. */
    private Tree without(SplittableRandom random) {
      if (degrees.length == 0) {
        return this;
      }
      Tree result = copy();
      int centre = given + random.nextInt(degrees.length);
      double[] squares = new double[degrees.length];
      for (int steiner = 0; steiner < squares.length; steiner++) {
        squares[steiner] = distance(given + steiner, centre);
      }
      double[] sorted = squares.clone();
      Arrays.sort(sorted);
      double limit = sorted[Math.min(sorted.length - 1, random.nextInt(6))];
      for (int steiner = 0; steiner < squares.length; steiner++) {
        if (squares[steiner] <= limit) {
          result.degrees[steiner] = 0;
        }
      }
      return result;
    }

    /** Moves Steiner points to the Fermat points of their neighbours, and removes idle ones. */
    private void settle() {
      double[] place = new double[2];
      double moved = Double.POSITIVE_INFINITY;
      double size = Math.max(Double.MIN_NORMAL, length() / Math.max(1, edges));
      for (int sweep = 0; sweep < MAX_SWEEPS && moved > 1e-4 * size; sweep++) {
        moved = 0;
        for (int point = given; point < points; point++) {
          moved = Math.max(moved, settle(point, place));
        }
      }
    }

    /** Settles one Steiner point; returns the distance that it moved. */
    private double settle(int point, double[] place) {
      int degree = degrees[point - given];
      if (degree == 0) {
        return 0;
      }
      if (degree < 3) {
        removeIdle(point);
        return 0;
      }
      if (degree > 3) {
        median(point, place);
      } else {
        int a = neighbour(point, 0);
        int b = neighbour(point, 1);
        int c = neighbour(point, 2);
        if (!Fermat.place(xs[a], ys[a], xs[b], ys[b], xs[c], ys[c], place)) {
          collapse(point, corner(a, b, c));
          return 0;
        }
      }
      double dx = place[0] - xs[point];
      double dy = place[1] - ys[point];
      xs[point] = place[0];
      ys[point] = place[1];
      return Math.sqrt(dx * dx + dy * dy);
    }

    /** Returns which of three points has the longest opposite side: 0, 1 or 2. */
    private int corner(int a, int b, int c) {
      double ofA = distance(b, c);
      double ofB = distance(c, a);
      double ofC = distance(a, b);
      return ofA >= ofB && ofA >= ofC ? 0 : ofB >= ofC ? 1 : 2;
    }

    /** Improves the place of a point with four neighbours or more by a step of Weiszfeld. */
    private void median(int point, double[] place) {
      double sumX = 0;
      double sumY = 0;
      double weights = 0;
      for (int i = 0; i < degrees[point - given]; i++) {
        int other = neighbour(point, i);
        double weight = 1 / Math.max(Double.MIN_NORMAL, distance(point, other));
        sumX += weight * xs[other];
        sumY += weight * ys[other];
        weights += weight;
      }
      place[0] = sumX / weights;
      place[1] = sumY / weights;
    }

    /** Removes a Steiner point with one or two edges. */
    private void removeIdle(int point) {
      int first = edge(point, 0);
      if (degrees[point - given] == 2) {
        int second = edge(point, 1);
        int other = end(second, point);
        detach(other, second);
        isEdge[second] = false;
        replace(first, point, other);
      } else {
        detach(end(first, point), first);
        isEdge[first] = false;
      }
      degrees[point - given] = 0;
    }

    /** Replaces a Steiner point with three edges by one of its neighbours. */
    private void collapse(int point, int onto) {
      int into = neighbour(point, onto);
      if (into >= given && degrees[into - given] + 1 > MAX_DEGREE) {
        return;
      }
      int[] ends = {edge(point, 0), edge(point, 1), edge(point, 2)};
      detach(into, ends[onto]);
      isEdge[ends[onto]] = false;
      for (int i = 0; i < 3; i++) {
        if (i != onto) {
          replace(ends[i], point, into);
        }
      }
      degrees[point - given] = 0;
    }

    /** Moves and removes Steiner points so that the edges take fewer relays. */
    private void round(double range) {
      boolean isChanged = true;
      for (int sweep = 0; sweep < 4 && isChanged; sweep++) {
        isChanged = false;
        for (int point = given; point < points; point++) {
          isChanged |= degrees[point - given] > 0 && round(point, range);
        }
      }
    }

    private boolean round(int point, double range) {
      int degree = degrees[point - given];
      if (degree < 3) {
        removeIdle(point);
        return true;
      }
      long relays = relaysAt(point, xs[point], ys[point], range);
      if (degree == 3) {
        int onto = cheapest(point, range, relays + 1);
        if (onto != NONE) {
          collapse(point, onto);
          return true;
        }
      }
      double x = xs[point];
      double y = ys[point];
      double length = lengthAt(point, x, y);
      double[] place = new double[2];
      boolean isMoved = false;
      for (int i = 0; i < degree; i++) {
        for (int j = 0; j < i; j++) {
          int a = neighbour(point, i);
          int b = neighbour(point, j);
          double ofA = Math.floor(distance(point, a) / range);
          double ofB = Math.floor(distance(point, b) / range);
          for (int choice = 0; choice < 8; choice++) {
            double radiusA = range * (ofA + (choice & 1));
            double radiusB = range * (ofB + (choice >> 1 & 1));
            if (intersection(a, radiusA, b, radiusB, choice < 4 ? 1 : -1, place)) {
              long there = relaysAt(point, place[0], place[1], range);
              double lengthThere = lengthAt(point, place[0], place[1]);
              if (there < relays || (there == relays && isMoved && lengthThere < length)) {
                relays = there;
                length = lengthThere;
                x = place[0];
                y = place[1];
                isMoved = true;
              }
            }
          }
        }
      }
      xs[point] = x;
      ys[point] = y;
      return isMoved;
    }

    private long relaysAt(int point, double x, double y, double range) {
      long sum = 0;
      for (int i = 0; i < degrees[point - given]; i++) {
        int other = neighbour(point, i);
        sum += relaysOn(Math.hypot(xs[other] - x, ys[other] - y), range);
      }
      return sum;
    }

    private double lengthAt(int point, double x, double y) {
      double sum = 0;
      for (int i = 0; i < degrees[point - given]; i++) {
        int other = neighbour(point, i);
        sum += Math.hypot(xs[other] - x, ys[other] - y);
      }
      return sum;
    }

    /**
     * Returns the neighbour in whose place a Steiner point would take the fewest relays.
     *
     * @param most the maximum number of relays; {@link #NONE} if there are more
     */
    private int cheapest(int point, double range, long most) {
      int found = NONE;
      long least = most;
      for (int i = 0; i < 3; i++) {
        int into = neighbour(point, i);
        long relays = relaysAt(point, xs[into], ys[into], range);
        if (relays < least || (relays == least && found == NONE)) {
          least = relays;
          found = i;
        }
      }
      return found;
    }

    /** Finds an intersection of two circles around points; returns false if there is none. */
    private boolean intersection(
        int a, double radiusA, int b, double radiusB, int side, double[] place) {
      double dx = xs[b] - xs[a];
      double dy = ys[b] - ys[a];
      double squared = dx * dx + dy * dy;
      if (squared == 0) {
        return false;
      }
      double along = (squared + radiusA * radiusA - radiusB * radiusB) / (2 * squared);
      double beside = radiusA * radiusA / squared - along * along;
      if (!(beside >= 0)) {
        return false;
      }
      double height = side * Math.sqrt(beside);
      place[0] = xs[a] + along * dx - height * dy;
      place[1] = ys[a] + along * dy + height * dx;
      return true;
    }
  }
}
