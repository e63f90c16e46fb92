package io.fieldstone.rlnc.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.wire.MalformedDataException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Origins, relays and receivers of one object, joined by simulated links. */
final class SimulatedNetwork implements AutoCloseable {

  private static final int MIN_REPORT_INTERVAL = 2;
  private static final int REPORT_BYTES = 1200;

  /** What a node does to the packets that it sends. */
  enum Conduct {
    HONEST,
    /** Changes every payload. */
    POLLUTES,
    /** Changes one payload in eight. */
    POLLUTES_SOME,
    /** Behaves until it has sent a hundred packets. */
    POLLUTES_LATER,
    /** Sends bytes that are no packets. */
    BABBLES,
    /** Sends nothing. */
    WITHHOLDS,
    /** Sends its first packet again and again, under new numbers. */
    REPEATS
  }

  final class Node {
    final String name;
    final SenderKind kind;
    final Conduct conduct;
    final TestObject.Store store = object.store();
    final Set<String> convicted = new TreeSet<>();
    final @Nullable ObjectRelay relay;
    final GenerationCache cache = new GenerationCache(engine, 1 << 20);
    final List<Edge> from = new ArrayList<>();
    int polluted;

    /** The connections so far, each of which has a seed of its own. */
    int connections;

    boolean isAway;

    /** Whether it fetches only what its receivers want, so that it need not become complete. */
    final boolean isOnDemand;

    /** Whether it sends nothing, which its receivers do not know: their connections stay. */
    boolean isSilent;

    Node(String name, SenderKind kind, Conduct conduct, ReceiverOptions options) {
      this.name = name;
      this.kind = kind;
      this.conduct = conduct;
      this.isOnDemand = options.isOnDemand();
      this.relay =
          kind == SenderKind.ORIGIN
              ? null
              : ObjectRelay.builder(engine, cache, object.hashes(), store, name.hashCode())
                  .mode(kind == SenderKind.RELAY ? RelayMode.VERIFIED : RelayMode.IMMEDIATE)
                  .options(options)
                  .listener(
                      new ReceiverListener() {
                        @Override
                        public void convicted(Conviction conviction) {
                          for (Edge edge : from) {
                            if (edge.numbers.contains(conviction.sender())) {
                              convicted.add(edge.from.name);
                              edge.isBanned = true;
                            }
                          }
                        }

                        @Override
                        public void polluted(int generation) {
                          polluted++;
                        }
                      })
                  .availability(generation -> available(Node.this, generation))
                  .build();
    }

    ObjectReceiver receiver() {
      return java.util.Objects.requireNonNull(relay).receiver();
    }

    boolean isComplete() {
      return relay == null || relay.receiver().isComplete();
    }
  }

  /** A connection: packets from a sender, reports back. */
  final class Edge {
    final Node from;
    final Node to;
    final SimulatedLink data;
    final SimulatedLink reports;
    final int packetsPerTick;

    /** A quarter of the round trip. */
    final int reportInterval;

    final Set<Integer> numbers = new java.util.HashSet<>();
    boolean isBanned;
    long sent;

    /** The packets sent with all coefficients. */
    long withVector;

    long polluted;
    long innovative;
    long received;
    int number = -1;
    private @Nullable SourceObject source;
    private @Nullable ObjectSender sender;
    private byte @Nullable [] first;
    private double credit;

    Edge(Node from, Node to, SimulatedLink.Faults faults, int packetsPerTick) {
      this.from = from;
      this.to = to;
      this.packetsPerTick = packetsPerTick;
      this.reportInterval = Math.max(MIN_REPORT_INTERVAL, faults.delay() / 2);
      this.data = new SimulatedLink(faults, random);
      this.reports = new SimulatedLink(faults, random);
    }

    boolean isConnected() {
      return sender != null;
    }

    void connect() {
      ObjectRelay relay = from.relay;
      if (relay == null) {
        source =
            from.cache.open(
                object.manifest(), 31L * from.name.hashCode() + from.connections, object);
        sender = new ObjectSender(source, 7);
      } else {
        sender = relay.addSender(7);
      }
      from.connections++;
      number = to.receiver().addSender(sender.seed(), from.kind, 7);
      numbers.add(number);
      if (from.relay != null && isAnnounced) {
        to.receiver().setAvailable(number, from.receiver().verified());
      }
    }

    void disconnect() {
      ObjectSender closed = sender;
      if (closed == null) {
        return;
      }
      to.receiver().removeSender(number);
      data.clear();
      reports.clear();
      if (from.relay == null) {
        closed.close();
      } else {
        from.relay.removeSender(closed);
      }
      if (source != null) {
        source.close();
        source = null;
      }
      sender = null;
    }

    void tick(long now) throws IOException {
      boolean isUp = !from.isAway && !to.isAway && !isBanned;
      if (isUp && sender == null) {
        connect();
      } else if (!isUp && sender != null) {
        disconnect();
      }
      ObjectSender connected = sender;
      if (connected == null) {
        return;
      }
      if (now % reportInterval == 0 && !to.isComplete()) {
        byte[] report = new byte[REPORT_BYTES];
        int bytes = to.receiver().report(number, 0, report);
        reports.send(now, report, bytes);
      }
      if (from.isSilent) {
        reports.clear();
        data.clear();
        return;
      }
      for (byte[] report : reports.arrivals(now)) {
        try {
          connected.onReport(report);
        } catch (MalformedDataException e) {
          if (from.conduct == Conduct.HONEST) {
            throw new AssertionError(e);
          }
        }
      }
      send(now, connected);
      for (byte[] packet : data.arrivals(now)) {
        if (isBanned || sender == null) {
          break;
        }
        receive(packet);
      }
    }

    private void send(long now, ObjectSender connected) throws IOException {
      if (from.conduct == Conduct.WITHHOLDS) {
        return;
      }
      byte[] packet = new byte[connected.maxPacketBytes()];
      for (credit = packetsPerTick; credit > 0 && connected.hasNext(); credit--) {
        int bytes = connected.next(packet);
        assertThat(bytes).isPositive();
        byte[] changed = packet.clone();
        change(changed, bytes);
        polluted += java.util.Arrays.equals(packet, changed) ? 0 : 1;
        data.send(now, changed, bytes);
        sent++;
        withVector += (packet[0] & 3) == Packet.EXPLICIT ? 1 : 0;
        if (++packets == silentAfter) {
          silenced.forEach(node -> node.isSilent = true);
        }
        if (from.isSilent) {
          return;
        }
      }
    }

    private void change(byte[] packet, int bytes) {
      switch (from.conduct) {
        case HONEST, WITHHOLDS -> {}
        case POLLUTES -> packet[bytes - 1] ^= 1;
        case POLLUTES_SOME -> packet[bytes - 1] ^= (byte) (random.nextInt(8) == 0 ? 1 : 0);
        case POLLUTES_LATER -> packet[bytes - 1] ^= (byte) (sent > 100 ? 1 : 0);
        case BABBLES -> {
          if (random.nextInt(4) == 0) {
            random.nextBytes(packet);
          }
        }
        case REPEATS -> {
          if (first == null) {
            first = packet.clone();
          }
          byte[] number = java.util.Arrays.copyOfRange(packet, 2, 6);
          System.arraycopy(first, 0, packet, 0, bytes);
          System.arraycopy(number, 0, packet, 2, 4);
        }
      }
    }

    private void receive(byte[] packet) throws IOException {
      try {
        received++;
        if (to.receiver().receive(number, packet) == Arrival.INNOVATIVE) {
          innovative++;
        }
      } catch (MalformedDataException e) {
        if (from.conduct == Conduct.HONEST) {
          throw new AssertionError(e);
        }
        isBanned = true;
      }
      assertThat(to.receiver().openGenerations()).isLessThanOrEqualTo(maxOpen);
      assertThat(to.receiver().heldBytes()).isLessThanOrEqualTo(maxHeldBytes);
    }
  }

  final Engine engine;
  final TestObject object;
  final Random random;
  final Map<String, Node> nodes = new HashMap<>();
  final List<Node> order = new ArrayList<>();
  final List<Edge> edges = new ArrayList<>();
  final ReceiverOptions options;
  final boolean isAnnounced;
  private final int maxOpen;
  private final long maxHeldBytes;
  private final List<Node> silenced = new ArrayList<>();
  private long silentAfter = -1;
  private long packets;
  long now;

  /**
   * @param isAnnounced whether relays tell what they have; otherwise they are taken to have all,
   *     and fetch what they are asked for
   */
  SimulatedNetwork(
      Engine engine,
      TestObject object,
      Random random,
      ReceiverOptions options,
      boolean isAnnounced) {
    this.engine = engine;
    this.object = object;
    this.random = random;
    this.options = options;
    this.isAnnounced = isAnnounced;
    int n = object.manifest().shape().blocks();
    long bytes = object.manifest().shape().bytes();
    long each = 2 * bytes + (long) n * n;
    this.maxOpen = (int) Math.max(1, options.windowBytes() / each);
    // One generation more for evidence, and one being decoded.
    this.maxHeldBytes = (maxOpen + 2) * each;
  }

  Node add(String name, SenderKind kind, Conduct conduct) {
    return add(name, kind, conduct, options);
  }

  /** Adds a node with a window of its own, or one that fetches on demand. */
  Node add(String name, SenderKind kind, Conduct conduct, ReceiverOptions own) {
    Node node = new Node(name, kind, conduct, own);
    nodes.put(name, node);
    order.add(node);
    return node;
  }

  Edge join(Node from, Node to, SimulatedLink.Faults faults, int packetsPerTick) {
    Edge edge = new Edge(from, to, faults, packetsPerTick);
    edges.add(edge);
    to.from.add(edge);
    return edge;
  }

  /** Kills nodes after all nodes together have sent some packets. */
  void silence(List<Node> nodes, long afterPackets) {
    silenced.addAll(nodes);
    silentAfter = afterPackets;
  }

  private void available(Node relay, int generation) {
    for (Edge edge : edges) {
      if (edge.from == relay && edge.isConnected()) {
        edge.to.receiver().addAvailable(edge.number, generation);
      }
    }
  }

  void tick() throws IOException {
    for (Edge edge : edges) {
      edge.tick(now);
    }
    now++;
  }

  /** Returns true if all nodes that fetch the whole object are complete. */
  boolean isComplete() {
    return order.stream().allMatch(node -> node.isOnDemand || node.isComplete());
  }

  /** Runs until all nodes are complete or the time is up; returns true if they are. */
  boolean run(long ticks) throws IOException {
    while (now < ticks && !isComplete()) {
      tick();
    }
    for (Node node : order) {
      if (node.relay != null && node.isComplete()) {
        assertThat(node.store.isRight()).as(node.name).isTrue();
      }
    }
    return isComplete();
  }

  /** Returns the convicted nodes, by all others. */
  Set<String> convicted() {
    Set<String> names = new TreeSet<>();
    order.forEach(node -> names.addAll(node.convicted));
    return names;
  }

  static MemorySegment segment(byte[] bytes) {
    return MemorySegment.ofArray(bytes);
  }

  @Override
  public void close() {
    edges.forEach(Edge::disconnect);
    for (Node node : order) {
      if (node.relay != null) {
        node.relay.close();
      }
      node.cache.close();
      assertThat(node.cache.bytes()).isZero();
    }
  }
}
