package io.fieldstone.hybrid;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.weights.InformationSetTrials;
import io.fieldstone.engine.weights.LabelledWords;
import io.fieldstone.engine.weights.WeightPreconditions;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Splits walks among information sets. */
final class HybridTrials implements InformationSetTrials {

  private final List<Engine> parts;
  private final TaskPool threads;

  HybridTrials(List<Engine> parts, TaskPool threads) {
    this.parts = parts;
    this.threads = threads;
  }

  @Override
  public Optional<Trial> lightest(
      LabelledWords redundancy, int depth, long seed, long first, long count, int maxWeight) {
    WeightPreconditions.requireWalks(redundancy, depth, first, count);
    LabelledWords copy = redundancy.copy();
    Queue<Trial> found = new ConcurrentLinkedQueue<>();
    WorkQueue.run(
        threads,
        parts.size(),
        count,
        (part, from, walks) ->
            parts
                .get(part)
                .informationSetTrials()
                .lightest(copy, depth, seed, first + from, walks, maxWeight)
                .ifPresent(found::add));
    return found.stream().min(Trial::compareTo);
  }
}
