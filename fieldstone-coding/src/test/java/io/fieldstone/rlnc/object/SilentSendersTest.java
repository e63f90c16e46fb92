package io.fieldstone.rlnc.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.object.SimulatedLink.Faults;
import io.fieldstone.rlnc.object.SimulatedNetwork.Conduct;
import io.fieldstone.rlnc.object.SimulatedNetwork.Edge;
import io.fieldstone.rlnc.object.SimulatedNetwork.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Senders that are killed without a word, so that their connections stay, after any packet of a
 * transfer. The others deliver the rest, although nobody tells the receiver.
 */
class SilentSendersTest {

  private static final int SENDERS = 4;
  private static final int GENERATIONS = 6;
  private static final int N = 8;
  private static final int DELAY = 4;
  private static final int MAX_TICKS = 5000;

  /** Silence shows after 13 reports, 2 ticks apart, and some round trips of 8 ticks. */
  private static final int TICKS_TO_NOTICE = 60;

  private final Engine engine = Engine.open("cpu:scalar");

  @AfterEach
  void close() {
    engine.close();
  }

  /**
   * The network of a transfer.
   *
   * @param window the generations that are open at a time
   * @param rate the packets of a sender in a tick
   * @param loss the share of packets and of reports that are lost
   * @param kind origins, or relays that have the object from an origin
   */
  private record Setting(int window, int rate, double loss, SenderKind kind) {}

  /** The end of a transfer. */
  private record End(boolean isComplete, long ticks, long packets, String state) {}

  private End transfer(Setting setting, int killed, long afterPackets) throws Exception {
    Random random = new Random(11);
    TestObject object = TestObject.random(random, GENERATIONS * N - 3, N, 1);
    long window = setting.window * (2L * N + N * N);
    try (SimulatedNetwork network =
        new SimulatedNetwork(
            engine, object, random, ReceiverOptions.DEFAULT.withWindowBytes(window), false)) {
      Node receiver = network.add("receiver", SenderKind.RELAY, Conduct.HONEST);
      Node origin = network.add("origin", SenderKind.ORIGIN, Conduct.HONEST);
      List<Node> senders = new ArrayList<>();
      for (int i = 0; i < SENDERS; i++) {
        Node sender = network.add("sender " + i, setting.kind, Conduct.HONEST);
        Faults faults = new Faults(setting.loss, 1, 0, 0, DELAY);
        if (setting.kind != SenderKind.ORIGIN) {
          network.join(origin, sender, faults, setting.rate);
        }
        network.join(sender, receiver, faults, setting.rate);
        senders.add(sender);
      }
      network.silence(senders.subList(0, killed), afterPackets);
      boolean isComplete = network.run(MAX_TICKS);
      long packets = network.edges.stream().mapToLong(edge -> edge.sent).sum();
      return new End(isComplete, network.now, packets, receiver.receiver().describe());
    }
  }

  /** Kills senders after each packet of a transfer, or after each of every few. */
  private void killAfterEachPacket(Setting setting, int killed, int ticksToNotice, int step)
      throws Exception {
    End whole = transfer(setting, 0, -1);
    assertThat(whole.isComplete).isTrue();
    long most = whole.ticks * SENDERS / (SENDERS - killed) + ticksToNotice;
    for (long after = 1; after <= whole.packets; after += step) {
      End end = transfer(setting, killed, after);
      assertThat(end.isComplete)
          .as("%s, %d killed after packet %d: %s", setting, killed, after, end.state)
          .isTrue();
      assertThat(end.ticks)
          .as("ticks; %s, %d killed after packet %d", setting, killed, after)
          .isLessThanOrEqualTo(most);
    }
  }

  /** Windows of one generation, of a few and of all; senders that are slow and fast. */
  @Test
  void serversMayBeKilledAfterAnyPacket() throws Exception {
    List<Setting> settings =
        List.of(
            new Setting(1, 1, 0.05, SenderKind.ORIGIN),
            new Setting(3, 8, 0.05, SenderKind.ORIGIN),
            new Setting(GENERATIONS, 1, 0, SenderKind.ORIGIN),
            new Setting(GENERATIONS, 8, 0.05, SenderKind.ORIGIN));
    for (Setting setting : settings) {
      for (int killed = 1; killed < SENDERS; killed++) {
        killAfterEachPacket(setting, killed, (killed + 1) * TICKS_TO_NOTICE, 1);
      }
    }
  }

  /** A relay may be silent for four times as long, because it may wait for others. */
  @Test
  void relaysMayBeKilledAfterPackets() throws Exception {
    for (SenderKind kind : List.of(SenderKind.RELAY, SenderKind.IMMEDIATE)) {
      killAfterEachPacket(new Setting(GENERATIONS, 8, 0.05, kind), 2, 12 * TICKS_TO_NOTICE, 7);
    }
  }

  /**
   * A server that is four times as fast as the other is silent for a quarter of the time. Each
   * silence is short, and generations come in between. So the pauses of this server stay short, and
   * it delivers two thirds of the object.
   */
  @Test
  void aServerThatDeliversBetweenSilencesIsAskedAgainSoon() throws Exception {
    int n = 64;
    int period = 400; // ticks
    Random random = new Random(3);
    TestObject object = TestObject.random(random, 300 * n, n, 1);
    long window = 2L * (2 * n + n * n);
    try (SimulatedNetwork network =
        new SimulatedNetwork(
            engine, object, random, ReceiverOptions.DEFAULT.withWindowBytes(window), false)) {
      Node receiver = network.add("receiver", SenderKind.RELAY, Conduct.HONEST);
      Node fast = network.add("fast", SenderKind.ORIGIN, Conduct.HONEST);
      Node slow = network.add("slow", SenderKind.ORIGIN, Conduct.HONEST);
      Edge fromFast = network.join(fast, receiver, Faults.none(DELAY), 4);
      Edge fromSlow = network.join(slow, receiver, Faults.none(DELAY), 1);
      while (!network.isComplete()) {
        assertThat(network.now).isLessThan(object.manifest().sourceBlocks());
        fast.isSilent = network.now % period < period / 4;
        network.tick();
      }
      assertThat(fromFast.innovative).isGreaterThan(2 * fromSlow.innovative);
    }
  }
}
