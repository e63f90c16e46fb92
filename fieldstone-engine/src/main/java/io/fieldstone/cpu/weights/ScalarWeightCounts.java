package io.fieldstone.cpu.weights;

import io.fieldstone.engine.weights.BinaryWords;
import io.fieldstone.engine.weights.WeightCounts;
import io.fieldstone.engine.weights.WeightPreconditions;

/** The oracle of {@link WeightCounts}: enumerates words in Gray-code order. */
final class ScalarWeightCounts implements WeightCounts {

  @Override
  public void count(BinaryWords basis, BinaryWords offsets, long[] multiplicities, long[] counts) {
    WeightPreconditions.requireCosets(basis, offsets, multiplicities, counts);
    PlainWords rows = PlainWords.of(basis);
    PlainWords words = PlainWords.of(offsets);
    for (int offset = 0; offset < multiplicities.length; offset++) {
      count(rows, words.copy(offset), multiplicities[offset], counts);
    }
  }

  private static void count(PlainWords rows, long[] word, long multiplicity, long[] counts) {
    counts[PlainWords.weight(word)] += multiplicity;
    for (long step = 1; step < 1L << rows.count(); step++) {
      // A Gray code changes the bit whose index is the number of trailing zeros.
      rows.addTo(word, Long.numberOfTrailingZeros(step));
      counts[PlainWords.weight(word)] += multiplicity;
    }
  }
}
