package io.fieldstone.bench.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.impairment.Lateness;
import io.fieldstone.net.impairment.Loss;
import io.fieldstone.rlnc.repair.DeliveryTime;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The goals of live streams and tunnels that need no network, with an ideal code. {@code
 * -Dfieldstone.simulations=10000} simulates as many seconds of each path; {@code
 * -Dfieldstone.simulations.print=true} prints the figures.
 */
@Execution(ExecutionMode.CONCURRENT)
class LiveGoalsTest {
  private static final int SECONDS = Integer.getInteger("fieldstone.simulations", 600);
  private static final int PAYLOAD = 1316;
  private static final long MILLI = 1_000_000;

  private static void print(String name, Object result) {
    if (Boolean.getBoolean("fieldstone.simulations.print")) {
      System.out.printf("%-44s %s%n", name, result);
    }
  }

  private static Impairment path(double rttMillis, Loss loss) {
    return Impairment.NONE.withDelay((long) (rttMillis / 2 * MILLI), 0).withLoss(loss);
  }

  private static LongUnaryOperator rate(double mbit) {
    return LiveSimulation.every((long) (PAYLOAD * 8 * 1000 / mbit));
  }

  private static LiveSimulation stream(double budgetMillis, Impairment forward) {
    return new LiveSimulation(
        (long) (budgetMillis * MILLI),
        DeliveryTime.AT_DEADLINE,
        PAYLOAD,
        rate(5),
        forward,
        path(100, Loss.NONE),
        21);
  }

  private static LiveSimulation tunnel(double mbit, Impairment forward, Loss backward) {
    return new LiveSimulation(
        400 * MILLI, DeliveryTime.AT_ONCE, PAYLOAD, rate(mbit), forward, path(110, backward), 21);
  }

  private static LiveResult measure(String name, LiveSimulation simulation, int seconds) {
    LiveResult result = simulation.warmUp(10).run(10 + seconds);
    print(name, result);
    return result;
  }

  /** Of 5 Mbit/s, with a round-trip time of 100 ms. */
  private static LiveResult stream(double budgetMillis, Loss loss) {
    String name = "stream %.0f ms, loss %.3f".formatted(budgetMillis, loss.mean());
    return measure(name, stream(budgetMillis, path(100, loss)), SECONDS);
  }

  @Test
  void aStreamIsRepairedInHalfARoundTrip() {
    LiveResult five = stream(50, Loss.random(0.05));
    assertThat(five.residual()).isLessThanOrEqualTo(1e-4);
    assertThat(five.bytesRatio()).isLessThanOrEqualTo(1.30);
    // The goal is 1e-4 with 1.45, just where an ideal code for a known loss is.
    LiveResult ten = stream(50, Loss.random(0.1));
    assertThat(ten.residual()).isLessThanOrEqualTo(1.6e-4);
    assertThat(ten.bytesRatio()).isLessThanOrEqualTo(1.45);
    // The goal is 1e-4 with 1.65, where an ideal code leaves 8e-4.
    LiveResult twenty = stream(50, Loss.random(0.2));
    assertThat(twenty.residual()).isLessThanOrEqualTo(3e-4);
    assertThat(twenty.bytesRatio()).isLessThanOrEqualTo(1.75);
  }

  @Test
  void aStreamIsRepairedInThreeQuartersOfARoundTrip() {
    // The goal is 3e-5 with 1.25, where an ideal code leaves 7e-5.
    LiveResult result = stream(75, Loss.random(0.05));
    assertThat(result.residual()).isLessThanOrEqualTo(1e-4);
    assertThat(result.bytesRatio()).isLessThanOrEqualTo(1.26);
  }

  @Test
  void aStreamWithThreeRoundTripsIsRepairedOnRequest() {
    LiveResult result = stream(300, Loss.random(0.05));
    assertThat(result.residual()).isLessThanOrEqualTo(3e-4);
    assertThat(result.bytesRatio()).isLessThanOrEqualTo(1.10);
  }

  @Test
  void runsOfLossAreRepairedOnRequest() {
    LiveResult result = stream(200, Loss.bursts(0.05, 8));
    assertThat(result.residual()).isLessThanOrEqualTo(2e-3);
    assertThat(result.bytesRatio()).isLessThanOrEqualTo(1.20);
  }

  @Test
  void aPathWithoutLossCostsNothing() {
    for (double budget : new double[] {50, 100, 300}) {
      LiveResult result = stream(budget, path(100, Loss.NONE)).run(60);
      assertThat(result.redundancy()).isLessThanOrEqualTo(0.001);
      assertThat(result.medianMillis()).isLessThanOrEqualTo(1);
    }
    LiveResult result = tunnel(5, path(110, Loss.NONE), Loss.NONE).run(60);
    assertThat(result.redundancy()).isLessThanOrEqualTo(0.001);
    assertThat(result.p99Millis()).isLessThanOrEqualTo(2);
  }

  @Test
  void aTunnelThatLosesBothWaysMissesNothing() {
    double[][] goals = {{0.05, 1.15}, {0.1, 1.3}, {0.2, 1.6}};
    for (double[] goal : goals) {
      for (double mbit : new double[] {5, 20}) {
        Loss loss = Loss.random(goal[0]);
        String name = "tunnel %.0f Mbit/s, loss %.2f both ways".formatted(mbit, goal[0]);
        LiveResult result = measure(name, tunnel(mbit, path(110, loss), loss), SECONDS / 4);
        assertThat(result.residual()).isLessThanOrEqualTo(1e-4);
        assertThat(result.bytesRatio()).isLessThanOrEqualTo(goal[1]);
      }
    }
  }

  @Test
  void sparsePacketsSurviveWithinARoundTripAnd20Millis() {
    for (double share : new double[] {0, 0.1}) {
      Impairment path = path(110, Loss.random(share));
      LiveSimulation simulation =
          new LiveSimulation(
              130 * MILLI,
              DeliveryTime.AT_ONCE,
              200,
              LiveSimulation.every(200 * MILLI),
              path,
              path,
              3);
      LiveResult result = simulation.warmUp(20).run(20 + 10 * SECONDS);
      print("packet each 200 ms, loss %.2f both ways".formatted(share), result);
      assertThat(result.residual()).isLessThanOrEqualTo(share == 0 ? 0 : 1e-3);
      if (share == 0) {
        assertThat(result.repairs()).isZero();
      }
    }
  }

  @Test
  void redundancyFollowsLossWithinTwoRoundTripsAndFallsSmoothly() {
    for (DeliveryTime delivery : DeliveryTime.values()) {
      LiveSimulation simulation =
          new LiveSimulation(
              (delivery == DeliveryTime.AT_ONCE ? 400 : 50) * MILLI,
              delivery,
              PAYLOAD,
              rate(5),
              path(100, Loss.NONE),
              path(100, Loss.NONE),
              5);
      simulation.forwardAt(10, path(100, Loss.random(0.2))).forwardAt(30, path(100, Loss.NONE));
      simulation.run(10);
      assertThat(simulation.policy().redundancy()).isZero();
      simulation.run(10.2);
      double first = simulation.policy().redundancy();
      simulation.run(20);
      double steady = simulation.policy().redundancy();
      assertThat(first).isGreaterThan(0.7 * steady);
      for (double time = 11; time <= 30; time += 0.1) {
        simulation.run(time);
        assertThat(simulation.policy().redundancy()).isBetween(0.7 * steady, 1.4 * steady);
      }
      double last = simulation.policy().redundancy();
      for (double time = 30.1; time <= 40; time += 0.1) {
        simulation.run(time);
        assertThat(simulation.policy().redundancy()).isLessThanOrEqualTo(1.15 * last);
        last = simulation.policy().redundancy();
      }
      assertThat(last).isLessThan(0.02);
    }
  }

  @Test
  void lossOfAFullQueueRaisesNoRedundancy() {
    Impairment narrow = path(100, Loss.NONE).withRate(5e6 / 8, 40_000);
    for (double mbit : new double[] {4.9, 5.2, 6, 10}) {
      LiveResult result = tunnel(mbit, narrow, Loss.NONE).run(60);
      print("tunnel of %.1f Mbit/s over 5".formatted(mbit), result);
      assertThat(result.queueDropped()).isPositive();
      assertThat(result.redundancy()).isLessThanOrEqualTo(0.02);
    }
    // Frames of 38 packets at once, where 30 fit into the queue.
    LiveSimulation frames =
        new LiveSimulation(
            50 * MILLI,
            DeliveryTime.AT_DEADLINE,
            PAYLOAD,
            frames(38),
            path(100, Loss.NONE).withRate(20e6 / 8, 40_000),
            path(100, Loss.NONE),
            9);
    LiveResult result = frames.run(60);
    print("frames that overflow a queue", result);
    assertThat(result.queueDropped()).isPositive();
    assertThat(result.redundancy()).isLessThanOrEqualTo(0.02);
  }

  /** Frames 30 times a second, of packets that are sent together. */
  private static LongUnaryOperator frames(int packets) {
    long frame = 33_333_333;
    return last -> last % frame < packets - 1 ? last + 1 : (last / frame + 1) * frame;
  }

  @Test
  void aFullQueueLeavesTheRedundancyForRandomLossAsItIs() {
    Impairment wide = path(100, Loss.random(0.05));
    LiveSimulation simulation = tunnel(6, wide, Loss.NONE);
    simulation.forwardAt(10, wide.withRate(5e6 / 8, 40_000));
    simulation.run(10);
    double before = simulation.policy().redundancy();
    LiveResult result = simulation.warmUp(10.5).run(60);
    print("loss 0.05, then 6 Mbit/s over 5", result);
    assertThat(simulation.policy().isCongested()).isTrue();
    assertThat(simulation.policy().redundancy()).isLessThanOrEqualTo(1.1 * before);
    assertThat(result.redundancy()).isBetween(0.5 * before, 1.2 * before);
  }

  @Test
  void aBlackoutOfThreeSecondsIsForgottenAtItsEnd() {
    for (double share : new double[] {0, 0.05}) {
      Impairment path = path(110, Loss.random(share));
      LiveSimulation simulation = tunnel(5, path, Loss.random(share));
      simulation.forwardAt(20, path(110, Loss.random(1))).forwardAt(23, path);
      simulation.run(20);
      double before = simulation.policy().redundancy();
      simulation.warmUp(23);
      assertThat(simulation.run(23.11).delivered()).isPositive();
      LiveResult later = simulation.warmUp(23.01).run(60);
      assertThat(later.residual()).isLessThanOrEqualTo(1e-4);
      assertThat(simulation.policy().redundancy()).isLessThanOrEqualTo(1.3 * before);
    }
  }

  @Test
  void aDelayThatJumpsIsNoLoss() {
    for (double share : new double[] {0, 0.05}) {
      Loss loss = Loss.random(share);
      LiveSimulation simulation = tunnel(5, path(110, loss), Loss.NONE);
      for (int i = 1; i < 6; i++) {
        simulation.forwardAt(10 * i, path(i % 2 == 1 ? 510 : 110, loss));
      }
      LiveResult result = simulation.warmUp(5).run(60);
      print("delay that jumps by 200 ms, loss %.2f".formatted(share), result);
      assertThat(result.residual()).isLessThanOrEqualTo(share == 0 ? 0 : 2e-3);
      assertThat(result.redundancy()).isLessThanOrEqualTo(share == 0 ? 0.001 : 0.15);
    }
  }

  @Test
  void packetsThatAreOvertakenAreNotRepaired() {
    for (double share : new double[] {0, 0.05}) {
      Impairment path =
          path(110, Loss.random(share)).withLateness(new Lateness(0.2, MILLI, 30 * MILLI));
      LiveResult result = tunnel(20, path, Loss.NONE).warmUp(5).run(60);
      print("a fifth late by up to 30 ms, loss %.2f".formatted(share), result);
      assertThat(result.residual()).isLessThanOrEqualTo(1e-4);
      assertThat(result.redundancy()).isLessThanOrEqualTo(share == 0 ? 0.001 : 0.12);
    }
  }

  @Test
  void aReceiverThatIsNotHeardIsRepairedInAdvance() {
    LiveSimulation simulation = tunnel(5, path(110, Loss.random(0.02)), Loss.random(1));
    LiveResult result = simulation.warmUp(1).run(30);
    assertThat(simulation.policy().lossShare()).isPositive();
    assertThat(result.redundancy()).isPositive();
    assertThat(result.residual()).isLessThanOrEqualTo(1e-3);
  }

  /** Points between and beyond those of the goals. */
  @Test
  void otherPathsAreRepairedAsWell() {
    double[][] paths = {
      {30, 5, 80}, {250, 2, 150}, {250, 2, 400}, {40, 50, 30}, {100, 5, 130}, {100, 5, 170}
    };
    for (double[] path : paths) {
      for (double share : new double[] {0.03, 0.07, 0.15}) {
        Loss loss = Loss.random(share);
        LiveSimulation simulation =
            new LiveSimulation(
                (long) (path[2] * MILLI),
                DeliveryTime.AT_DEADLINE,
                PAYLOAD,
                rate(path[1]),
                path(path[0], loss),
                path(path[0], loss),
                33);
        LiveResult result = simulation.warmUp(10).run(10 + SECONDS / 10);
        print(
            "rtt %.0f ms, %.0f Mbit/s, %.0f ms, loss %.2f both ways"
                .formatted(path[0], path[1], path[2], share),
            result);
        assertThat(result.residual()).isLessThanOrEqualTo(1e-3);
        assertThat(result.redundancy()).isLessThanOrEqualTo(0.1 + 3 * share);
      }
    }
  }

  @Test
  void aPathIsSimulatedTheSameWayTwice() {
    Impairment path = path(100, Loss.bursts(0.1, 3)).withLateness(new Lateness(0.1, 1, 5 * MILLI));
    LiveResult one = stream(150, path).run(20);
    assertThat(stream(150, path).run(20)).isEqualTo(one);
  }
}
