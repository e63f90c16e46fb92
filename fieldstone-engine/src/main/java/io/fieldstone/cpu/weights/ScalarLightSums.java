package io.fieldstone.cpu.weights;

import io.fieldstone.engine.weights.LabelledWords;
import io.fieldstone.engine.weights.LightSums;
import io.fieldstone.engine.weights.Subsets;
import io.fieldstone.engine.weights.WeightPreconditions;
import java.util.Optional;
import java.util.stream.LongStream;

/** The oracle of {@link LightSums}: adds up the rows of one subset after the other. */
final class ScalarLightSums implements LightSums {

  @Override
  public Optional<Sum> lightest(
      LabelledWords rows, int size, long first, long count, int maxWeight) {
    WeightPreconditions.requireSums(rows, size, first, count);
    PartTable table = PartTable.of(rows);
    return LongStream.range(first, first + count)
        .mapToObj(number -> new Sum(weight(table, size, number), number))
        .filter(sum -> sum.weight() <= maxWeight)
        .min(Sum::compareTo);
  }

  @Override
  public Optional<long[]> light(
      LabelledWords rows, int size, long first, long count, int maxWeight, int maxFound) {
    WeightPreconditions.requireSums(rows, size, first, count);
    WeightPreconditions.requireMaxFound(maxFound);
    PartTable table = PartTable.of(rows);
    long[] numbers =
        LongStream.range(first, first + count)
            .filter(number -> weight(table, size, number) <= maxWeight)
            .limit(maxFound + 1L)
            .toArray();
    return Optional.of(numbers).filter(all -> all.length <= maxFound);
  }

  /** Returns the weight of a sum; {@link Integer#MAX_VALUE} if it is left out. */
  private static int weight(PartTable table, int size, long number) {
    long[] sum = new long[table.parts().length];
    for (int row : Subsets.subset(table.rows(), size, number)) {
      table.addTo(row, sum);
    }
    int weight = 0;
    long label = table.hasLabels() ? 0 : 1;
    for (int part = 0; part < sum.length; part++) {
      weight += part < table.counted() ? Long.bitCount(sum[part]) : 0;
      label |= part < table.counted() ? 0 : sum[part];
    }
    return label == 0 ? Integer.MAX_VALUE : weight;
  }
}
