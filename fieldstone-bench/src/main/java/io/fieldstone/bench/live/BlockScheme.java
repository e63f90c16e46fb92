package io.fieldstone.bench.live;

import io.fieldstone.engine.Engine;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Sends the repairs of a generation after its last source, and more if the receiver still lacks
 * some a round trip later.
 */
final class BlockScheme extends CodedScheme {

  /** A generation, and the slot in which the sender knows what it lacks. */
  private record Sent(long due, long generation) {}

  private final int size;
  private final double redundancy;
  private final Deque<Sent> sent = new ArrayDeque<>();
  private final Map<Long, Integer> ranks = new HashMap<>();
  private double credit;

  BlockScheme(DelaySimulation simulation, Engine engine, int size, double redundancy) {
    super(simulation, engine);
    this.size = size;
    this.redundancy = redundancy;
  }

  @Override
  public void onSource(long source) {
    addSource(source);
    credit += redundancy;
    if ((source + 1) % size == 0) {
      int repairs = (int) credit;
      credit -= repairs;
      send(source / size, repairs);
    }
  }

  private void send(long generation, int repairs) {
    for (int i = 0; i < repairs; i++) {
      sendSymbol(generation * size, size);
    }
    sent.add(new Sent(simulation().slot() + 2L * DelaySimulation.ONE_WAY, generation));
  }

  @Override
  public void answer() {
    while (!sent.isEmpty() && sent.peek().due() <= simulation().slot()) {
      long generation = sent.remove().generation();
      int deficit = size - ranks.getOrDefault(generation, 0);
      if (deficit > 0) {
        send(generation, deficit);
      } else {
        ranks.remove(generation);
      }
    }
  }

  @Override
  void onInnovative(long source) {
    ranks.merge(source / size, 1, Integer::sum);
  }
}
