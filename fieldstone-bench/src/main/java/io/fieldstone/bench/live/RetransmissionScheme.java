package io.fieldstone.bench.live;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Sends a source again a round trip after it was lost, as often as it is lost. No other ARQ without
 * repetitions in advance is faster.
 */
final class RetransmissionScheme implements Scheme {

  /** A source that was sent, and the slot in which the sender knows whether it arrived. */
  private record Sent(long due, long source) {}

  private final DelaySimulation simulation;
  private final Deque<Sent> sent = new ArrayDeque<>();

  RetransmissionScheme(DelaySimulation simulation) {
    this.simulation = simulation;
  }

  @Override
  public void onSource(long source) {
    await(source);
  }

  private void await(long source) {
    sent.add(new Sent(simulation.slot() + 2L * DelaySimulation.ONE_WAY, source));
  }

  @Override
  public void answer() {
    while (!sent.isEmpty() && sent.peek().due() <= simulation.slot()) {
      long source = sent.remove().source();
      if (!simulation.isKnown(source)) {
        simulation.send(() -> simulation.know(source));
        await(source);
      }
    }
  }

  @Override
  public void arrive(long source) {
    simulation.know(source);
  }
}
