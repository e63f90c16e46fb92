package io.fieldstone.cpu.weights;

import io.fieldstone.engine.weights.InformationSetTrials;
import io.fieldstone.engine.weights.InformationSetWalk;
import io.fieldstone.engine.weights.LabelledWords;
import io.fieldstone.engine.weights.WeightPreconditions;
import java.util.Optional;

/** The oracle of {@link InformationSetTrials}: walks and sums as they are defined. */
final class ScalarTrials implements InformationSetTrials {

  @Override
  public Optional<Trial> lightest(
      LabelledWords redundancy, int depth, long seed, long first, long count, int maxWeight) {
    WeightPreconditions.requireWalks(redundancy, depth, first, count);
    Optional<Trial> lightest = Optional.empty();
    int max = maxWeight;
    for (long number = first; number < first + count; number++) {
      InformationSetWalk walk = new InformationSetWalk(redundancy, seed, number);
      for (int trial = 0; trial < InformationSetWalk.TRIALS; trial++) {
        walk.next();
        Optional<int[]> rows = walk.lightest(depth, max);
        if (rows.isPresent()) {
          int weight = walk.weight(rows.get());
          lightest = Optional.of(new Trial(weight, number * InformationSetWalk.TRIALS + trial));
          max = weight - 1;
        }
      }
    }
    return lightest;
  }
}
