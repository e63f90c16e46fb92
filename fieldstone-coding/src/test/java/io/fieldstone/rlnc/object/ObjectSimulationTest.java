package io.fieldstone.rlnc.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.object.SimulatedLink.Faults;
import io.fieldstone.rlnc.object.SimulatedNetwork.Conduct;
import io.fieldstone.rlnc.object.SimulatedNetwork.Edge;
import io.fieldstone.rlnc.object.SimulatedNetwork.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Objects over seeded channels and networks. {@code -Dfieldstone.simulations=100000} runs more of
 * the random ones; {@code -Dfieldstone.simulations.print=true} prints the figures of the others.
 */
class ObjectSimulationTest {

  private static final int RUNS = Integer.getInteger("fieldstone.simulations", 200);
  private static final int MAX_TICKS = 20_000;

  @Test
  void everyNetworkDeliversTheRightObjectOrLacksAnHonestSender() {
    int complete = IntStream.range(0, RUNS).parallel().map(seed -> run(seed) ? 1 : 0).sum();
    assertThat(complete).isGreaterThan(RUNS / 2);
  }

  /** Blocks, not bytes: n = 64, and a window of 32 generations where 8 are in flight. */
  private static final int N = 64;

  private static SimulatedNetwork network(Engine engine, Random random, int generations, int k) {
    TestObject object = TestObject.random(random, generations * N * k - 3, N, k);
    long window = 32L * (2 * N * k + N * N);
    return new SimulatedNetwork(
        engine, object, random, ReceiverOptions.DEFAULT.withWindowBytes(window), false);
  }

  @Test
  void oneSenderSendsFewMoreBlocksThanTheChannelLoses() throws Exception {
    for (double loss : new double[] {0, 0.01, 0.05, 0.1, 0.2, 0.4}) {
      for (int burst : new int[] {1, 10}) {
        try (Engine engine = Engine.open("cpu:scalar");
            SimulatedNetwork network = network(engine, new Random(17), 40, 4)) {
          Node origin = network.add("origin", SenderKind.ORIGIN, Conduct.HONEST);
          Node receiver = network.add("receiver", SenderKind.RELAY, Conduct.HONEST);
          Edge edge = network.join(origin, receiver, new Faults(loss, burst, 0.02, 0, 4), 32);
          assertThat(network.run(MAX_TICKS)).isTrue();
          double needed = network.object.manifest().sourceBlocks();
          double delivered = 1 - edge.data.lost() / (double) edge.sent;
          print(
              "loss %.2f burst %d: received/needed %.4f, sent·(1−p)/needed %.4f, ticks %d",
              loss, burst, edge.received / needed, edge.sent * delivered / needed, network.now);
          assertThat(edge.received / needed).isLessThanOrEqualTo(1.01);
          assertThat(edge.sent).isLessThanOrEqualTo((long) Math.ceil(1.03 * needed / delivered));
        }
      }
    }
  }

  /** A packet that others overtake is late by up to a delay, so it is no loss to be repaired. */
  @Test
  void packetsThatAreOvertakenAreNotSentAgain() throws Exception {
    for (double reordering : new double[] {0.02, 0.1, 0.3, 0.5}) {
      for (int delay : new int[] {4, 16}) {
        try (Engine engine = Engine.open("cpu:scalar");
            SimulatedNetwork network = network(engine, new Random(17), 60, 1)) {
          Node origin = network.add("origin", SenderKind.ORIGIN, Conduct.HONEST);
          Node receiver = network.add("receiver", SenderKind.RELAY, Conduct.HONEST);
          Edge edge = network.join(origin, receiver, new Faults(0, 1, reordering, 0, delay), 16);
          assertThat(network.run(MAX_TICKS)).isTrue();
          double needed = network.object.manifest().sourceBlocks();
          print(
              "reordering %.2f delay %d: sent/needed %.4f, ticks %d",
              reordering, delay, edge.sent / needed, network.now);
          assertThat(edge.sent / needed).isLessThanOrEqualTo(1.01);
        }
      }
    }
  }

  /** Ten round trips late, and yet not lost; what is lost is repaired even so. */
  @Test
  void packetsThatAreLateByManyRoundTripsAreNotSentAgain() throws Exception {
    for (double loss : new double[] {0, 0.05}) {
      try (Engine engine = Engine.open("cpu:scalar");
          SimulatedNetwork network = network(engine, new Random(17), 300, 1)) {
        Node origin = network.add("origin", SenderKind.ORIGIN, Conduct.HONEST);
        Node receiver = network.add("receiver", SenderKind.RELAY, Conduct.HONEST);
        Edge edge = network.join(origin, receiver, new Faults(loss, 1, 0.3, 0, 4, 80), 16);
        assertThat(network.run(MAX_TICKS)).isTrue();
        double needed = network.object.manifest().sourceBlocks();
        double delivered = 1 - edge.data.lost() / (double) edge.sent;
        print(
            "late by 80 ticks, loss %.2f: sent·(1−p)/needed %.4f, ticks %d, clean %.0f",
            loss, edge.sent * delivered / needed, network.now, needed / 16 / (1 - loss));
        assertThat(edge.sent * delivered / needed).isLessThanOrEqualTo(1.02);
        assertThat(network.now).isLessThanOrEqualTo((long) (1.3 * needed / 16 / (1 - loss)));
      }
    }
  }

  @Test
  void fourSendersOfDifferentRatesRepeatAtMostOneBlockInAHundred() throws Exception {
    int[][] rates = {{8, 8, 8, 8}, {16, 8, 4, 2}, {30, 1, 1, 1}};
    for (int[] rate : rates) {
      for (double loss : new double[] {0, 0.05}) {
        try (Engine engine = Engine.open("cpu:scalar");
            SimulatedNetwork network = network(engine, new Random(5), 120, 4)) {
          Node receiver = network.add("receiver", SenderKind.RELAY, Conduct.HONEST);
          for (int i = 0; i < 4; i++) {
            Node origin = network.add("origin " + i, SenderKind.ORIGIN, Conduct.HONEST);
            network.join(origin, receiver, new Faults(loss, 1, 0, 0, 2 + i), rate[i]);
          }
          assertThat(network.run(MAX_TICKS)).isTrue();
          double needed = network.object.manifest().sourceBlocks();
          long received = network.edges.stream().mapToLong(edge -> edge.received).sum();
          print(
              "rates %s loss %.2f: received/needed %.4f, rate/sum %.3f",
              java.util.Arrays.toString(rate),
              loss,
              received / needed,
              needed / network.now / (1 - loss) / IntStream.of(rate).sum());
          assertThat(received / needed).isLessThanOrEqualTo(1.01);
        }
      }
    }
  }

  @Test
  void aSenderThatDiesCostsLittle() throws Exception {
    try (Engine engine = Engine.open("cpu:scalar");
        SimulatedNetwork network = network(engine, new Random(9), 120, 4)) {
      Node receiver = network.add("receiver", SenderKind.RELAY, Conduct.HONEST);
      List<Node> origins = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Node origin = network.add("origin " + i, SenderKind.ORIGIN, Conduct.HONEST);
        origins.add(origin);
        network.join(origin, receiver, new Faults(0.05, 1, 0, 0, 4), 8);
      }
      network.run(100);
      origins.get(1).isAway = true;
      assertThat(network.run(MAX_TICKS)).isTrue();
      double needed = network.object.manifest().sourceBlocks();
      long received = network.edges.stream().mapToLong(edge -> edge.received).sum();
      print("killed: received/needed %.4f, ticks %d", received / needed, network.now);
      assertThat(received / needed).isLessThanOrEqualTo(1.03);
    }
  }

  @Test
  void threeEvilOfEightAreNamedAndWasteAtMostSixGenerations() throws Exception {
    for (Conduct conduct :
        List.of(Conduct.POLLUTES, Conduct.POLLUTES_SOME, Conduct.POLLUTES_LATER)) {
      for (int seed = 0; seed < 3; seed++) {
        try (Engine engine = Engine.open("cpu:scalar");
            SimulatedNetwork network = network(engine, new Random(seed), 120, 4)) {
          Node receiver = network.add("receiver", SenderKind.RELAY, Conduct.HONEST);
          for (int i = 0; i < 8; i++) {
            Node origin =
                network.add(
                    "origin " + i, SenderKind.ORIGIN, i % 3 == 1 ? conduct : Conduct.HONEST);
            network.join(origin, receiver, new Faults(0.02, 1, 0, 0, 3), 8);
          }
          assertThat(network.run(MAX_TICKS)).isTrue();
          assertThat(network.convicted()).containsExactly("origin 1", "origin 4", "origin 7");
          long needed = network.object.manifest().sourceBlocks();
          long received = network.edges.stream().mapToLong(edge -> edge.received).sum();
          long polluted = network.edges.stream().mapToLong(edge -> edge.polluted).sum();
          print(
              "%s: %d fetched again; %.2f generations extra, of which %.2f wrong blocks",
              conduct,
              receiver.receiver().generationsRefetched(),
              (received - needed) / (double) N,
              polluted / (double) N);
          assertThat(receiver.receiver().generationsRefetched()).isLessThanOrEqualTo(6);
          assertThat(received - polluted - needed).isLessThanOrEqualTo(6L * N);
        }
      }
    }
  }

  /** It is asked for the whole window before the others come. */
  @Test
  void anEvilSenderThatComesFirstIsNamedAndDeliversNothing() throws Exception {
    for (Conduct conduct :
        List.of(Conduct.POLLUTES, Conduct.POLLUTES_SOME, Conduct.POLLUTES_LATER)) {
      for (int pause : new int[] {1, 6, 30}) {
        try (Engine engine = Engine.open("cpu:scalar");
            SimulatedNetwork network = network(engine, new Random(pause), 120, 4)) {
          Node receiver = network.add("receiver", SenderKind.RELAY, Conduct.HONEST);
          for (int i = 0; i < 8; i++) {
            Node origin =
                network.add(
                    "origin " + i, SenderKind.ORIGIN, i % 3 == 0 ? conduct : Conduct.HONEST);
            network.join(origin, receiver, new Faults(0.02, 1, 0, 0, 3), 8);
            network.run(i == 0 ? pause : 0);
          }
          assertThat(network.run(MAX_TICKS)).isTrue();
          assertThat(network.convicted()).containsExactly("origin 0", "origin 3", "origin 6");
          print(
              "%s, first for %d: %d fetched again",
              conduct, pause, receiver.receiver().generationsRefetched());
          assertThat(receiver.receiver().generationsRefetched()).isLessThanOrEqualTo(6);
        }
      }
    }
  }

  @Test
  void immediateRelaysGetStrikes() throws Exception {
    for (int seed = 0; seed < 6; seed++) {
      try (Engine engine = Engine.open("cpu:scalar");
          SimulatedNetwork network = network(engine, new Random(seed), 20, 4)) {
        Node receiver = network.add("receiver", SenderKind.RELAY, Conduct.HONEST);
        Node origin = network.add("origin", SenderKind.ORIGIN, Conduct.HONEST);
        network.join(origin, receiver, new Faults(0.02, 1, 0, 0, 3), 8);
        for (int i = 0; i < 3; i++) {
          Node relay =
              network.add(
                  "relay " + i, SenderKind.IMMEDIATE, i == 1 ? Conduct.POLLUTES : Conduct.HONEST);
          network.join(origin, relay, new Faults(0.02, 1, 0, 0, 3), 8);
          network.join(relay, receiver, new Faults(0.02, 1, 0, 0, 3), 8);
        }
        assertThat(network.run(MAX_TICKS)).isTrue();
        assertThat(network.convicted()).isSubsetOf("relay 1");
        print(
            "immediate: %d fetched again, convicted %s, ticks %d",
            receiver.receiver().generationsRefetched(), network.convicted(), network.now);
        assertThat(receiver.receiver().generationsRefetched())
            .isLessThanOrEqualTo(3L * ObjectReceiver.MAX_STRIKES);
      }
    }
  }

  /**
   * Two receivers behind relays a, b, c and d, all of whose links have one rate. Relays that only
   * forward carry 1.5 times the rate of a link to each receiver.
   */
  private static final class Butterfly implements AutoCloseable {
    final SimulatedNetwork network;
    final List<Node> receivers = new ArrayList<>();
    final int rate;

    Butterfly(
        Engine engine, Random random, int generations, double loss, int rate, Set<String> evil) {
      this.rate = rate;
      network = network(engine, random, generations, 4);
      Node origin = network.add("origin", SenderKind.ORIGIN, Conduct.HONEST);
      Node a = relay("a", evil);
      Node b = relay("b", evil);
      Node c = relay("c", evil);
      Node d = relay("d", evil);
      Faults faults = new Faults(loss, 1, 0, 0, 3);
      network.join(origin, a, faults, rate);
      network.join(origin, b, faults, rate);
      network.join(a, c, faults, rate);
      network.join(b, c, faults, rate);
      network.join(c, d, faults, rate);
      for (Node side : List.of(a, b)) {
        Node receiver =
            network.add("behind " + side.name, SenderKind.RELAY, Conduct.HONEST, network.options);
        receivers.add(receiver);
        network.join(side, receiver, faults, rate);
        network.join(d, receiver, faults, rate);
        if (!evil.isEmpty()) {
          network.join(origin, receiver, faults, 1); // one honest complete sender is reachable
        }
      }
    }

    private Node relay(String name, Set<String> evil) {
      Conduct conduct = evil.contains(name) ? Conduct.POLLUTES_SOME : Conduct.HONEST;
      return network.add(name, SenderKind.IMMEDIATE, conduct, network.options.onDemand());
    }

    /** Runs until both receivers are complete; returns the rate of the object in links. */
    double run() throws Exception {
      while (network.now < MAX_TICKS && !receivers.stream().allMatch(Node::isComplete)) {
        network.tick();
      }
      assertThat(receivers).as(() -> describe(network)).allMatch(Node::isComplete);
      assertThat(receivers).allMatch(node -> node.store.isRight());
      return (double) network.object.manifest().sourceBlocks() / network.now / rate;
    }

    @Override
    public void close() {
      network.close();
    }
  }

  /** Relay c combines blocks of a and b, so that one of its blocks serves both receivers. */
  @Test
  void aButterflyOfImmediateRelaysCarriesAlmostTwoLinks() throws Exception {
    for (double loss : new double[] {0, 0.05}) {
      try (Engine engine = Engine.open("cpu:scalar");
          Butterfly butterfly = new Butterfly(engine, new Random(3), 200, loss, 8, Set.of())) {
        double links = butterfly.run();
        print("butterfly, loss %.2f: %.3f links", loss, links);
        assertThat(links).isGreaterThan(1.5 * (1 - loss));
        assertThat(butterfly.network.convicted()).isEmpty();
      }
    }
  }

  /** A receiver takes half of each generation from each relay, and so they fetch no more. */
  @Test
  void immediateRelaysReadAheadNoMoreThanIsWanted() throws Exception {
    TestObject object = TestObject.random(new Random(3), 400 * N - 3, N, 1);
    ReceiverOptions options =
        ReceiverOptions.DEFAULT.withWindowBytes(100L * (2 * N + (long) N * N));
    try (Engine engine = Engine.open("cpu:scalar");
        SimulatedNetwork network =
            new SimulatedNetwork(engine, object, new Random(3), options, false)) {
      Node origin = network.add("origin", SenderKind.ORIGIN, Conduct.HONEST);
      Node receiver = network.add("receiver", SenderKind.RELAY, Conduct.HONEST);
      List<Edge> upstream = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        Node relay =
            network.add("relay " + i, SenderKind.IMMEDIATE, Conduct.HONEST, options.onDemand());
        upstream.add(network.join(origin, relay, Faults.none(3), 32));
        network.join(relay, receiver, Faults.none(3), 8);
      }
      assertThat(network.run(MAX_TICKS)).as(() -> describe(network)).isTrue();
      for (Edge edge : upstream) {
        double share = (double) edge.received / object.manifest().sourceBlocks();
        print("%s: %.3f of the object", edge.to.name, share);
        assertThat(share).isLessThan(0.65);
      }
    }
  }

  /** Windows that are full of parts whose receivers wait for each other do not block the mesh. */
  @Test
  void smallWindowsOfImmediateRelaysDoNotBlockEachOther() throws Exception {
    for (int seed = 0; seed < 4; seed++) {
      try (Engine engine = Engine.open("cpu:scalar")) {
        TestObject object = TestObject.random(new Random(seed), 24 * 16 * 4, 16, 4);
        ReceiverOptions one = ReceiverOptions.DEFAULT.withWindowBytes(2 * 16 * 4 + 16 * 16);
        try (SimulatedNetwork network =
            new SimulatedNetwork(engine, object, new Random(seed), one, false)) {
          Node origin = network.add("origin", SenderKind.ORIGIN, Conduct.HONEST);
          List<Node> layer = List.of(origin);
          for (int depth = 0; depth < 3; depth++) {
            List<Node> next = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
              Node relay =
                  network.add(
                      depth + "." + i, SenderKind.IMMEDIATE, Conduct.HONEST, one.onDemand());
              layer.forEach(from -> network.join(from, relay, new Faults(0.1, 1, 0, 0, 2), 4));
              next.add(relay);
            }
            layer = next;
          }
          List<Node> receivers = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            Node receiver = network.add("receiver " + i, SenderKind.RELAY, Conduct.HONEST, one);
            layer.forEach(from -> network.join(from, receiver, new Faults(0.1, 1, 0, 0, 2), 4));
            receivers.add(receiver);
          }
          while (network.now < MAX_TICKS && !receivers.stream().allMatch(Node::isComplete)) {
            network.tick();
          }
          assertThat(receivers).as(() -> describe(network)).allMatch(Node::isComplete);
        }
      }
    }
  }

  /** All relays behind an evil one pass its blocks on; those get strikes, and nobody else. */
  @Test
  void mixedImmediateRelaysBehindAnEvilOneGetStrikes() throws Exception {
    for (String evil : List.of("a", "c", "d")) {
      for (int seed = 0; seed < 3; seed++) {
        try (Engine engine = Engine.open("cpu:scalar");
            Butterfly butterfly =
                new Butterfly(engine, new Random(seed), 60, 0.02, 8, Set.of(evil))) {
          double links = butterfly.run();
          Set<String> behind =
              switch (evil) {
                case "a" -> Set.of("a", "c", "d");
                case "c" -> Set.of("c", "d");
                default -> Set.of("d");
              };
          assertThat(butterfly.network.convicted()).isSubsetOf(behind);
          for (Node receiver : butterfly.receivers) {
            long refetched = receiver.receiver().generationsRefetched();
            print(
                "evil %s: %.3f links, %s fetched %d again, convicted %s",
                evil, links, receiver.name, refetched, butterfly.network.convicted());
            assertThat(refetched).isLessThanOrEqualTo(3L * behind.size());
          }
        }
      }
    }
  }

  /** The relay fetches on demand, also from an origin ten times as far away as the receiver. */
  @Test
  void twoLossyHopsCarryAlmostWhatOneDoes() throws Exception {
    for (SenderKind kind : List.of(SenderKind.RELAY, SenderKind.IMMEDIATE)) {
      assertThat(twoHops(kind, 0.2, 3)).isGreaterThan(0.75);
      assertThat(twoHops(kind, 0, 30)).isGreaterThan(0.9);
      assertThat(twoHops(kind, 0.2, 30)).isGreaterThan(0.64);
    }
  }

  private static double twoHops(SenderKind kind, double loss, int delay) throws Exception {
    TestObject object = TestObject.random(new Random(3), 800 * N - 3, N, 1);
    ReceiverOptions options = ReceiverOptions.DEFAULT;
    try (Engine engine = Engine.open("cpu:scalar");
        SimulatedNetwork network =
            new SimulatedNetwork(engine, object, new Random(3), options, false)) {
      Node origin = network.add("origin", SenderKind.ORIGIN, Conduct.HONEST);
      Node relay = network.add("relay", kind, Conduct.HONEST, options.onDemand());
      Node receiver = network.add("receiver", SenderKind.RELAY, Conduct.HONEST, options);
      network.join(origin, relay, new Faults(loss, 1, 0, 0, delay), 16);
      Edge last = network.join(relay, receiver, new Faults(loss, 1, 0, 0, 3), 16);
      while (network.now < MAX_TICKS && !receiver.isComplete()) {
        network.tick();
      }
      double needed = object.manifest().sourceBlocks();
      double vectors = (double) last.withVector / last.sent;
      print(
          "two hops by %s, loss %.1f, delay %d: %.3f of the link rate, received/needed %.4f, with a"
              + " vector %.3f",
          kind, loss, delay, needed / network.now / 16, last.received / needed, vectors);
      // An immediate relay passes on the source blocks that arrive, and recodes for the others.
      assertThat(vectors).isLessThan(0.5);
      return needed / network.now / 16;
    }
  }

  @Test
  void chainsOfRelaysDeliverEveryModeAndLoopsAreHarmless() throws Exception {
    for (SenderKind kind : List.of(SenderKind.RELAY, SenderKind.IMMEDIATE)) {
      for (boolean hasLoop : new boolean[] {false, true}) {
        try (Engine engine = Engine.open("cpu:scalar");
            SimulatedNetwork network = network(engine, new Random(3), 40, 4)) {
          Node origin = network.add("origin", SenderKind.ORIGIN, Conduct.HONEST);
          Node one = network.add("one", kind, Conduct.HONEST);
          Node two = network.add("two", kind, Conduct.HONEST);
          Node receiver = network.add("receiver", SenderKind.RELAY, Conduct.HONEST);
          Faults faults = new Faults(0.2, 1, 0, 0, 3);
          Edge first = network.join(origin, one, faults, 16);
          network.join(one, two, faults, 16);
          Edge last = network.join(two, receiver, faults, 16);
          Edge back = hasLoop ? network.join(two, one, faults, 16) : first;
          assertThat(network.run(MAX_TICKS)).as(() -> describe(network)).isTrue();
          double needed = network.object.manifest().sourceBlocks();
          print(
              "chain %s loop %s: ticks %d, %.3f of the link; last received/needed %.4f; back %d",
              kind,
              hasLoop,
              network.now,
              needed / network.now / 16 / 0.8,
              last.received / needed,
              back.innovative);
          assertThat(last.received / needed).isLessThanOrEqualTo(1.1);
        }
      }
    }
  }

  private static void print(String format, Object... values) {
    if (Boolean.getBoolean("fieldstone.simulations.print")) {
      System.out.println(format.formatted(values));
    }
  }

  private static boolean run(int seed) {
    Random random = new Random(seed);
    try (Engine engine = Engine.open("cpu:scalar")) {
      return run(seed, random, engine);
    } catch (Exception | AssertionError e) {
      throw new AssertionError("seed " + seed, e);
    }
  }

  private static boolean run(int seed, Random random, Engine engine) throws Exception {
    int n = 1 + random.nextInt(16);
    int k = 1 + random.nextInt(32);
    int length = random.nextInt(12 * n * k);
    Code code =
        switch (random.nextInt(4)) {
          case 0 -> new Code.Dense();
          case 1 -> Code.Sparse.ofDensity(0.5);
          default -> new Code.Systematic();
        };
    TestObject object = TestObject.random(random, length, code, n, k);
    long window = (1 + random.nextInt(8)) * (2L * n * k + (long) n * n);
    boolean isAnnounced = random.nextBoolean();
    try (SimulatedNetwork network =
        new SimulatedNetwork(
            engine, object, random, ReceiverOptions.DEFAULT.withWindowBytes(window), isAnnounced)) {
      List<Node> origins = new ArrayList<>();
      int evil = random.nextInt(3) == 0 ? random.nextInt(4) : 0;
      int honest = random.nextInt(12) == 0 ? 0 : 1 + random.nextInt(3);
      for (int i = 0; i < evil + honest; i++) {
        Conduct conduct = i < honest ? Conduct.HONEST : Conduct.values()[1 + random.nextInt(6)];
        origins.add(network.add("origin " + i, SenderKind.ORIGIN, conduct));
      }
      List<Node> relays = new ArrayList<>();
      int relayCount = random.nextInt(4);
      for (int i = 0; i < relayCount; i++) {
        SenderKind kind = random.nextInt(3) == 0 ? SenderKind.IMMEDIATE : SenderKind.RELAY;
        boolean isOnDemand = !isAnnounced && random.nextBoolean();
        ReceiverOptions own = isOnDemand ? network.options.onDemand() : network.options;
        relays.add(network.add("relay " + i, kind, Conduct.HONEST, own));
      }
      Node receiver = network.add("receiver", SenderKind.RELAY, Conduct.HONEST);
      relays.add(receiver);
      for (Node relay : relays) {
        for (Node origin : origins) {
          // Every node reaches the first origin.
          if (origin == origins.getFirst() || random.nextBoolean()) {
            network.join(origin, relay, Faults.random(random), 1 + random.nextInt(8));
          }
        }
        for (Node other : relays) {
          if (other != relay && random.nextBoolean()) {
            network.join(other, relay, Faults.random(random), 1 + random.nextInt(8));
          }
        }
      }
      boolean isComplete = run(network, origins, relays, random);
      network.convicted().stream()
          .map(network.nodes::get)
          .filter(node -> node.kind != SenderKind.IMMEDIATE)
          .forEach(node ->
              assertThat(node.conduct)
                  .as("%s is convicted", node.name)
                  .isNotEqualTo(Conduct.HONEST));
      if (honest > 0) {
        assertThat(isComplete).as(() -> describe(network)).isTrue();
      }
      return isComplete;
    }
  }

  private static String describe(SimulatedNetwork network) {
    StringBuilder text = new StringBuilder();
    for (Edge edge : network.edges) {
      text.append(edge.from.name)
          .append(' ')
          .append(edge.from.conduct)
          .append(" -> ")
          .append(edge.to.name)
          .append(" sent ")
          .append(edge.sent)
          .append(" innovative ")
          .append(edge.innovative)
          .append(" missing ")
          .append(edge.to.receiver().missing())
          .append(" open ")
          .append(edge.to.receiver().openGenerations())
          .append(edge.isBanned ? " banned" : "")
          .append(edge.isConnected() ? "" : " apart")
          .append('\n');
    }
    for (Node node : network.order) {
      if (node.relay != null) {
        text.append(node.name).append(node.receiver().describe()).append('\n');
      }
    }
    return text.toString();
  }

  /** Runs with nodes that vanish and come back, except the receiver. */
  private static boolean run(
      SimulatedNetwork network, List<Node> origins, List<Node> relays, Random random)
      throws Exception {
    List<Node> mortal = new ArrayList<>(origins);
    mortal.addAll(relays.subList(0, relays.size() - 1));
    boolean isStable = random.nextBoolean() || mortal.isEmpty();
    for (int tick = 0; tick < MAX_TICKS && !network.isComplete(); tick++) {
      if (!isStable && tick < 1000 && tick % 50 == 49) {
        Node node = mortal.get(random.nextInt(mortal.size()));
        node.isAway = !node.isAway;
      }
      if (tick == 1000) {
        mortal.forEach(node -> node.isAway = false);
      }
      network.tick();
      if (network.edges.stream().allMatch(edge -> edge.isBanned)) {
        break;
      }
      if (tick > 4000 && origins.stream().allMatch(o -> o.conduct != Conduct.HONEST)) {
        break;
      }
    }
    return network.run(0);
  }
}
