package io.fieldstone.bench.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.impairment.Lateness;
import io.fieldstone.net.impairment.Loss;
import io.fieldstone.rlnc.repair.DeliveryTime;
import io.fieldstone.rlnc.window.WindowCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The code over GF(2^8) beside an ideal one, over the same losses. {@code
 * -Dfieldstone.simulations=10000} simulates as many seconds of each path.
 */
@Execution(ExecutionMode.CONCURRENT)
class LiveCodeTest {
  private static final int SECONDS = Integer.getInteger("fieldstone.simulations", 200);
  private static final int PAYLOAD = 61;
  private static final long MILLI = 1_000_000;

  /** Of packets of 1316 bytes at 5 Mbit/s. */
  private static final long INTERVAL_NANOS = 1316 * 8 * 1000 / 5;

  /** A stream with a deadline of three quarters of a round trip. */
  private static LiveSimulation stream(Impairment forward) {
    return new LiveSimulation(
        75 * MILLI,
        DeliveryTime.AT_DEADLINE,
        PAYLOAD,
        LiveSimulation.every(INTERVAL_NANOS),
        forward,
        Impairment.NONE.withDelay(50 * MILLI, 0),
        21);
  }

  private static Impairment path(double loss) {
    return Impairment.NONE.withDelay(50 * MILLI, 0).withLoss(Loss.random(loss));
  }

  private static LiveResult measure(LiveSimulation simulation, int seconds) {
    LiveResult result = simulation.warmUp(10).run(10 + seconds);
    if (Boolean.getBoolean("fieldstone.simulations.print")) {
      System.out.println(result);
    }
    return result;
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.05, 0.1})
  void theCodeLeavesTheLossOfAnIdealOne(double loss) {
    try (Engine engine = Engine.open("cpu");
        LiveSimulation simulation = stream(path(loss)).withCode(engine, WindowCode.GF256);
        LiveSimulation ideal = stream(path(loss))) {
      LiveResult coded = measure(simulation, SECONDS);
      LiveResult best = measure(ideal, SECONDS);
      assertThat(best.missed()).isPositive();
      // Four deviations of the difference of two Poisson counts; both lose the same packets.
      double noise = 4 * Math.sqrt(coded.missed() + best.missed());
      assertThat((double) Math.abs(coded.missed() - best.missed())).isLessThanOrEqualTo(noise);
      assertThat(Math.abs(coded.redundancy() / best.redundancy() - 1)).isLessThan(0.02);
    }
  }

  @Test
  void theCodeDecodesWhatIsLateAndOutOfOrder() {
    Impairment path =
        path(0).withLoss(Loss.bursts(0.05, 4)).withLateness(new Lateness(0.2, MILLI, 30 * MILLI));
    try (Engine engine = Engine.open("cpu");
        LiveSimulation simulation = stream(path).withCode(engine, WindowCode.GF256);
        LiveSimulation ideal = stream(path)) {
      LiveResult coded = measure(simulation, 30);
      LiveResult best = measure(ideal, 30);
      assertThat(coded.residual()).isBetween(0.7 * best.residual(), 1.3 * best.residual());
    }
  }

  @Test
  void aCodeIsGivenBeforeTheFirstSource() {
    try (Engine engine = Engine.open("cpu:scalar");
        LiveSimulation simulation = stream(path(0))) {
      simulation.run(0.1);
      assertThatIllegalStateException()
          .isThrownBy(() -> simulation.withCode(engine, WindowCode.GF2))
          .withMessageContaining("sources have been sent");
    }
  }
}
