package io.fieldstone.bench.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.impairment.Loss;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Simulated delays, beside what the probabilities of the losses give. */
class DelaySimulationTest {

  private static final int SOURCES = 20_000;
  private static final double ROUND_TRIP =
      2 * DelaySimulation.ONE_WAY * DelaySimulation.SLOT_MILLIS;

  private final Engine engine = Engine.open("cpu:scalar");

  @AfterEach
  void close() {
    engine.close();
  }

  private static Delays run(Loss loss, Function<DelaySimulation, Scheme> scheme) throws Exception {
    DelaySimulation simulation = new DelaySimulation(loss, SOURCES, 1);
    try (Scheme repairs = scheme.apply(simulation)) {
      return simulation.run(repairs);
    }
  }

  private Function<DelaySimulation, Scheme> window(double redundancy, double loss) {
    return simulation -> new WindowScheme(simulation, engine, redundancy, loss);
  }

  private Function<DelaySimulation, Scheme> generations(int size, double redundancy) {
    return simulation -> new BlockScheme(simulation, engine, size, redundancy);
  }

  @Test
  void withoutLossNothingIsLateAndOnlyAdvanceRepairsAreSent() throws Exception {
    Delays arq = run(Loss.NONE, RetransmissionScheme::new);
    assertThat(arq.redundancy()).isZero();
    assertThat(arq.laterThan(0)).isZero();
    Delays window = run(Loss.NONE, window(0.25, 0));
    assertThat(window.redundancy()).isEqualTo(0.25);
    assertThat(window.laterThan(0)).isZero();
    Delays generations = run(Loss.NONE, generations(10, 0.15));
    assertThat(generations.redundancy()).isEqualTo(0.15, within(1e-3));
    assertThat(generations.laterThan(0)).isZero();
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.05, 0.2})
  void retransmissionsTakeARoundTripEach(double loss) throws Exception {
    Delays delays = run(Loss.random(loss), RetransmissionScheme::new);
    double deviation = 4 * Math.sqrt(loss / SOURCES);
    assertThat(delays.laterThan(0)).isEqualTo(loss, within(deviation));
    assertThat(delays.laterThan(ROUND_TRIP - 1)).isEqualTo(loss, within(deviation));
    assertThat(delays.laterThan(ROUND_TRIP + 1)).isEqualTo(loss * loss, within(deviation));
    assertThat(delays.laterThan(10 * ROUND_TRIP)).isZero();
    assertThat(delays.redundancy()).isEqualTo(loss / (1 - loss), within(2 * deviation));
  }

  /** With as many repairs as sources, all generations are complete at their end but a few. */
  @Test
  void aLostSourceWaitsForTheEndOfItsGeneration() throws Exception {
    int size = 10;
    Delays delays = run(Loss.random(0.1), generations(size, 1));
    double deviation = 4 * Math.sqrt(0.1 / SOURCES);
    for (int slots = 0; slots < size - 1; slots++) {
      // Of the sources lost, those are later that are further from the end.
      double share = 0.1 * (size - 1 - slots) / size;
      assertThat(delays.laterThan((slots + 0.5) * DelaySimulation.SLOT_MILLIS))
          .isEqualTo(share, within(deviation));
    }
    assertThat(delays.laterThan(size * DelaySimulation.SLOT_MILLIS)).isLessThan(1e-4);
  }

  @Test
  void aWindowIsEarlierThanGenerationsForTheSameRepairs() throws Exception {
    Delays window = run(Loss.random(0.05), window(0.2, 0.05));
    for (int size : new int[] {10, 50}) {
      Delays generations = run(Loss.random(0.05), generations(size, 0.2));
      assertThat(window.redundancy()).isLessThanOrEqualTo(generations.redundancy() + 1e-3);
      for (double millis : new double[] {25, 50, 75}) {
        assertThat(window.laterThan(millis)).isLessThan(generations.laterThan(millis));
      }
    }
  }

  @Test
  void allIsKnownInTheEndWithTooFewRepairsInAdvance() throws Exception {
    Loss bursts = Loss.bursts(0.2, 8);
    assertThat(run(bursts, window(0.05, 0.2)).laterThan(30 * ROUND_TRIP)).isZero();
    assertThat(run(bursts, generations(50, 0.05)).laterThan(30 * ROUND_TRIP)).isZero();
  }
}
