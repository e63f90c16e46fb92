package io.fieldstone.relays;

import io.fieldstone.engine.Engine;
import io.fieldstone.relays.graph.DisjointSets;
import io.fieldstone.relays.graph.Links;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Places relays on given sites. Groups of sensors and sites are the nodes of a graph. The goal is a
 * minimum number of sites that join all groups: a Steiner tree with equal node weights. The links
 * of sites with each other, whose number grows with the square of their density, are not listed but
 * searched in trees of boxes.
 */
final class SitePlacement {

  private static final int NONE = -1;

  private final Engine engine;
  private final SensorField field;
  private final SensorField sites;
  private final double range;
  private final Groups groups;

  private final BoxTree tree;

  /** The links of sites with groups. Nodes are groups, then sites. */
  private final Links links;

  SitePlacement(Engine engine, SensorField field, SensorField sites, double range, Groups groups) {
    this.engine = engine;
    this.field = field;
    this.sites = sites;
    this.range = range;
    this.groups = groups;
    this.tree = BoxTree.ofSinglePoints(engine.threads(), sites.xs(), sites.ys());
    this.links = links();
  }

  private Links links() {
    Links.Builder builder = new Links.Builder(groups.count() + sites.size());
    GroupSearch search = new GroupSearch(engine.threads(), field, range, groups);
    for (int site = 0; site < sites.size(); site++) {
      for (int group : search.at(sites.x(site), sites.y(site))) {
        builder.add(groups.count() + site, group);
      }
    }
    return builder.build();
  }

  /**
   * Returns relays that join all groups.
   *
   * @param starsFirst true to select first the sites that join the most groups
   */
  List<Relay> relays(boolean starsFirst) throws UnreachableSensorsException {
    Choice choice = new Choice();
    if (starsFirst) {
      choice.takeStars();
    }
    choice.takeWays();
    choice.requireOneNetwork();
    List<Relay> relays = new ArrayList<>();
    for (int site = 0; site < sites.size(); site++) {
      if (choice.taken[site]) {
        relays.add(Relay.at(sites, site, Relay.Kind.SITE));
      }
    }
    return Pruning.pruned(engine, field, range, groups, relays);
  }

  private boolean isGroup(int node) {
    return node < groups.count();
  }

  private int site(int node) {
    return node - groups.count();
  }

  private double x(int node) {
    return sites.x(site(node));
  }

  private double y(int node) {
    return sites.y(site(node));
  }

  /** The sites that are selected one after the other, and the nodes that they join. */
  private final class Choice {
    private final DisjointSets joined = new DisjointSets(groups.count() + sites.size());
    private final boolean[] taken = new boolean[sites.size()];
    private final MarkedPoints marked = new MarkedPoints(tree, range);

    /** Selects sites that join three or more networks, most first, while there are any. */
    void takeStars() {
      Integer[] order = new Integer[sites.size()];
      int[] served = new int[sites.size()];
      for (int site = 0; site < order.length; site++) {
        order[site] = site;
        served[site] = networks(site);
      }
      Arrays.sort(order, Comparator.comparingInt(site -> -served[site]));
      int max = order.length == 0 ? 0 : served[order[0]];
      for (int networks = max; networks > 2; networks--) {
        for (int site : order) {
          if (served[site] < networks) {
            break;
          }
          if (!taken[site] && networks(site) >= networks) {
            take(site);
          }
        }
      }
    }

    private int networks(int site) {
      int node = groups.count() + site;
      int count = 0;
      for (int link = links.start(node); link < links.start(node + 1); link++) {
        if (!isJoinedBefore(node, link)) {
          count++;
        }
      }
      return count;
    }

    private boolean isJoinedBefore(int node, int link) {
      for (int other = links.start(node); other < link; other++) {
        if (joined.joined(links.end(other), links.end(link))) {
          return true;
        }
      }
      return false;
    }

    /** Selects a site and joins the groups and selected sites that it reaches. */
    private void take(int site) {
      if (taken[site]) {
        return;
      }
      int node = groups.count() + site;
      for (int link = links.start(node); link < links.start(node + 1); link++) {
        joined.join(node, links.end(link));
      }
      marked.forEachNear(
          sites.x(site), sites.y(site), other -> joined.join(node, groups.count() + other));
      taken[site] = true;
      marked.mark(site);
    }

    /**
     * Joins networks along the shortest paths between them, as in Kruskal's algorithm. A path leads
     * over two linked nodes, and back from each to its source. Their distances differ by one at
     * most.
     */
    void takeWays() {
      Spread spread = new Spread(taken);
      NetworkSearch nearer = spread.search(0, joined);
      for (int distance = 1; distance < spread.distances(); distance++) {
        takeWaysToGroups(spread, distance);
        takeWays(spread, distance, distance - 1, nearer);
        NetworkSearch equal = spread.search(distance, joined);
        takeWays(spread, distance, distance, equal);
        nearer = equal;
      }
    }

    private void takeWaysToGroups(Spread spread, int distance) {
      for (int node : spread.sitesAt(distance)) {
        for (int link = links.start(node); link < links.start(node + 1); link++) {
          if (!joined.joined(spread.sources[node], links.end(link))) {
            takeWay(spread, node, links.end(link));
          }
        }
      }
    }

    private void takeWays(Spread spread, int distance, int otherDistance, NetworkSearch others) {
      int[] ends = spread.sitesAt(otherDistance);
      for (int node : spread.sitesAt(distance)) {
        int end = others.find(x(node), y(node), spread.sources[node]);
        while (end != NetworkSearch.NONE) {
          takeWay(spread, node, ends[end]);
          end = others.find(x(node), y(node), spread.sources[node]);
        }
      }
    }

    private void takeWay(Spread spread, int from, int to) {
      takeBack(spread, from);
      takeBack(spread, to);
      joined.join(from, to);
    }

    private void takeBack(Spread spread, int node) {
      for (int at = node; spread.before[at] != NONE; at = spread.before[at]) {
        take(site(at));
        joined.join(at, spread.before[at]);
      }
    }

    void requireOneNetwork() throws UnreachableSensorsException {
      boolean[] seen = new boolean[groups.count() + sites.size()];
      int networks = 0;
      int stranger = NONE;
      for (int sensor = 0; sensor < field.size(); sensor++) {
        int network = joined.find(groups.of(sensor));
        if (!seen[network]) {
          seen[network] = true;
          networks++;
          stranger = sensor;
        }
      }
      if (networks > 1) {
        throw new UnreachableSensorsException(networks, field.id(0), field.id(stranger));
      }
    }
  }

  /** The shortest paths to all nodes from their nearest sources: groups and selected sites. */
  private final class Spread {
    /** The source of each node. */
    private final int[] sources = new int[groups.count() + sites.size()];

    /** The node before each on its path; {@link #NONE} for sources. */
    private final int[] before = new int[sources.length];

    private final MarkedPoints unreached = new MarkedPoints(tree, range);

    /** The sites by their distances, of which sources have 0. */
    private final List<int[]> sitesByDistance = new ArrayList<>();

    private final int[] queue = new int[sites.size()];
    private int queued;

    /** Searches breadth-first from all sources at once. */
    Spread(boolean[] taken) {
      Arrays.fill(before, NONE);
      for (int site = 0; site < sites.size(); site++) {
        unreached.mark(site);
      }
      for (int node = 0; node < sources.length; node++) {
        if (isGroup(node)) {
          sources[node] = node;
        } else if (taken[site(node)]) {
          reach(node, node, NONE);
        }
      }
      int start = 0;
      int end = queued;
      sitesByDistance.add(Arrays.copyOf(queue, end));
      for (int group = 0; group < groups.count(); group++) {
        for (int link = links.start(group); link < links.start(group + 1); link++) {
          if (unreached.isMarked(site(links.end(link)))) {
            reach(links.end(link), group, group);
          }
        }
      }
      do {
        for (int i = start; i < end; i++) {
          int node = queue[i];
          unreached.forEachNear(
              x(node), y(node), site -> reach(groups.count() + site, sources[node], node));
        }
        start = end;
        end = queued;
        sitesByDistance.add(Arrays.copyOfRange(queue, start, end));
      } while (start < end);
    }

    private void reach(int node, int source, int nodeBefore) {
      sources[node] = source;
      before[node] = nodeBefore;
      unreached.unmark(site(node));
      queue[queued] = node;
      queued++;
    }

    /** Returns the distances, which are all less. */
    int distances() {
      return sitesByDistance.size();
    }

    /** Returns the sites with a distance, the number of selected sites on their paths. */
    int[] sitesAt(int distance) {
      return sitesByDistance.get(distance);
    }

    /** Returns a search of the sites with a distance, by their positions in {@link #sitesAt}. */
    NetworkSearch search(int distance, DisjointSets networks) {
      int[] nodes = sitesAt(distance);
      double[] xs = Arrays.stream(nodes).mapToDouble(SitePlacement.this::x).toArray();
      double[] ys = Arrays.stream(nodes).mapToDouble(SitePlacement.this::y).toArray();
      int[] members = Arrays.stream(nodes).map(node -> sources[node]).toArray();
      return new NetworkSearch(BoxTree.ofSinglePoints(1, xs, ys), range, members, networks);
    }
  }
}
