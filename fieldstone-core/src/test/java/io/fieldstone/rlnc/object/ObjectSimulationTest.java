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
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Objects over seeded channels and networks. {@code -Dfieldstone.simulations=100000} runs more of
 * the random ones.
 */
class ObjectSimulationTest {

  private static final int RUNS = Integer.getInteger("fieldstone.simulations", 2000);
  private static final int MAX_TICKS = 20_000;

  @Test
  void everyNetworkDeliversTheRightObjectOrLacksAnHonestSender() {
    int complete = IntStream.range(0, RUNS).parallel().map(seed -> run(seed) ? 1 : 0).sum();
    assertThat(complete).isGreaterThan(RUNS / 2);
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
        relays.add(network.add("relay " + i, SenderKind.RELAY, Conduct.HONEST));
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
      network
          .convicted()
          .forEach(name ->
              assertThat(network.nodes.get(name).conduct)
                  .as("%s is convicted", name)
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
