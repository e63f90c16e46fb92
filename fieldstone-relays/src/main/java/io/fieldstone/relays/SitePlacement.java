package io.fieldstone.relays;

import io.fieldstone.engine.Engine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Places relays on given sites. Groups of sensors and sites are the nodes of a graph. The goal is a
 * minimum number of sites that join all groups: a Steiner tree with equal node weights.
 */
final class SitePlacement {

  private static final int NONE = -1;

  /** A path between two networks: over its two ends, and back from each to its start. */
  private record Way(int from, int to, int relays) {}

  private final Engine engine;
  private final SensorField field;
  private final SensorField sites;
  private final double range;
  private final Groups groups;

  /** The graph of nodes: groups, then sites. */
  private final Links links;

  SitePlacement(Engine engine, SensorField field, SensorField sites, double range, Groups groups) {
    this.engine = engine;
    this.field = field;
    this.sites = sites;
    this.range = range;
    this.groups = groups;
    this.links = links();
  }

  /**
   * Returns relays that join all groups.
   *
   * @param starsFirst true to select first the sites that join the most groups
   */
  List<Relay> relays(boolean starsFirst) throws UnreachableSensorsException {
    DisjointSets joined = new DisjointSets(groups.count() + sites.size());
    boolean[] taken = new boolean[sites.size()];
    if (starsFirst) {
      takeStars(joined, taken);
    }
    takeWays(joined, taken);
    List<Relay> relays = new ArrayList<>();
    for (int site = 0; site < sites.size(); site++) {
      if (taken[site]) {
        relays.add(
            new Relay(sites.x(site), sites.y(site), Relay.Kind.SITE, Optional.of(sites.id(site))));
      }
    }
    return Pruning.pruned(engine, field, range, groups, relays);
  }

  private Links links() {
    int sensors = field.size();
    double[] xs = Arrays.copyOf(field.xs(), sensors + sites.size());
    double[] ys = Arrays.copyOf(field.ys(), sensors + sites.size());
    System.arraycopy(sites.xs(), 0, xs, sensors, sites.size());
    System.arraycopy(sites.ys(), 0, ys, sensors, sites.size());
    Links.Builder builder = new Links.Builder(groups.count() + sites.size());
    Neighbours neighbours = new Neighbours(engine, xs, ys, range);
    if (neighbours.pairs() > (long) Groups.MAX_PAIRS * xs.length) {
      linkByBoxes(builder);
    } else {
      neighbours.forEachPair((a, b) -> {
        if (a >= sensors || b >= sensors) {
          builder.add(node(a), node(b));
        }
      });
    }
    return builder.build();
  }

  /** Links the sites of dense sensors, whose pairs are too many. */
  private void linkByBoxes(Links.Builder builder) {
    GroupSearch search = new GroupSearch(engine.threads(), field, range, groups);
    for (int site = 0; site < sites.size(); site++) {
      for (int group : search.at(sites.x(site), sites.y(site))) {
        builder.add(groups.count() + site, group);
      }
    }
    new Neighbours(engine, sites.xs(), sites.ys(), range)
        .forEachPair((a, b) -> builder.add(groups.count() + a, groups.count() + b));
  }

  private int node(int point) {
    return point < field.size() ? groups.of(point) : groups.count() + point - field.size();
  }

  /** Selects sites that join three or more networks, most first, while there are any. */
  private void takeStars(DisjointSets joined, boolean[] taken) {
    Integer[] order = new Integer[sites.size()];
    int[] served = new int[sites.size()];
    for (int site = 0; site < order.length; site++) {
      order[site] = site;
      served[site] = networks(site, joined);
    }
    Arrays.sort(order, Comparator.comparingInt(site -> -served[site]));
    int max = order.length == 0 ? 0 : served[order[0]];
    for (int networks = max; networks > 2; networks--) {
      for (int site : order) {
        if (served[site] < networks) {
          break;
        }
        if (!taken[site] && networks(site, joined) >= networks) {
          take(site, joined, taken);
        }
      }
    }
  }

  private int networks(int site, DisjointSets joined) {
    int node = groups.count() + site;
    int count = 0;
    for (int link = links.start(node); link < links.start(node + 1); link++) {
      if (isNetwork(links.end(link)) && !isJoinedBefore(node, link, joined)) {
        count++;
      }
    }
    return count;
  }

  private boolean isNetwork(int node) {
    return node < groups.count();
  }

  private boolean isJoinedBefore(int node, int link, DisjointSets joined) {
    for (int other = links.start(node); other < link; other++) {
      if (isNetwork(links.end(other)) && joined.joined(links.end(other), links.end(link))) {
        return true;
      }
    }
    return false;
  }

  /** Selects a site and joins the groups and selected sites that it reaches. */
  private void take(int site, DisjointSets joined, boolean[] taken) {
    int node = groups.count() + site;
    taken[site] = true;
    for (int link = links.start(node); link < links.start(node + 1); link++) {
      int other = links.end(link);
      if (isNetwork(other) || taken[other - groups.count()]) {
        joined.join(node, other);
      }
    }
  }

  /** Joins networks along the shortest paths between them, as in Kruskal's algorithm. */
  private void takeWays(DisjointSets joined, boolean[] taken) throws UnreachableSensorsException {
    int nodes = groups.count() + sites.size();
    int[] owners = new int[nodes];
    int[] relays = new int[nodes];
    int[] before = new int[nodes];
    spread(taken, owners, relays, before);
    List<Way> ways = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      for (int link = links.start(node); link < links.start(node + 1); link++) {
        int other = links.end(link);
        if (node < other && owners[node] != NONE && owners[other] != NONE) {
          ways.add(new Way(node, other, relays[node] + relays[other]));
        }
      }
    }
    ways.sort(Comparator.comparingInt(Way::relays));
    for (Way way : ways) {
      if (!joined.joined(owners[way.from()], owners[way.to()])) {
        takeBack(way.from(), before, joined, taken);
        takeBack(way.to(), before, joined, taken);
        joined.join(way.from(), way.to());
      }
    }
    requireOneNetwork(joined);
  }

  /** Searches breadth-first from all groups and selected sites at once. */
  private void spread(boolean[] taken, int[] owners, int[] relays, int[] before) {
    Arrays.fill(owners, NONE);
    Arrays.fill(before, NONE);
    int[] queue = new int[owners.length];
    int end = 0;
    for (int node = 0; node < owners.length; node++) {
      if (isNetwork(node) || taken[node - groups.count()]) {
        owners[node] = node;
        queue[end] = node;
        end++;
      }
    }
    for (int at = 0; at < end; at++) {
      int node = queue[at];
      for (int link = links.start(node); link < links.start(node + 1); link++) {
        int other = links.end(link);
        if (owners[other] == NONE) {
          owners[other] = owners[node];
          relays[other] = relays[node] + 1;
          before[other] = node;
          queue[end] = other;
          end++;
        }
      }
    }
  }

  private void takeBack(int node, int[] before, DisjointSets joined, boolean[] taken) {
    for (int at = node; before[at] != NONE; at = before[at]) {
      take(at - groups.count(), joined, taken);
      joined.join(at, before[at]);
    }
  }

  private void requireOneNetwork(DisjointSets joined) throws UnreachableSensorsException {
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
