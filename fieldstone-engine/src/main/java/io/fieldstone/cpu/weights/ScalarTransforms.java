package io.fieldstone.cpu.weights;

import io.fieldstone.engine.weights.TransformSlices;
import io.fieldstone.engine.weights.TransformSlices.Slice;
import io.fieldstone.engine.weights.TripleProducts;
import io.fieldstone.engine.weights.TripleSums;
import io.fieldstone.engine.weights.WeightPreconditions;
import io.fieldstone.engine.weights.WeightTransforms;

/**
 * The oracle of {@link WeightTransforms}: processes every message of every slice without
 * symmetries, by in-place transforms of 64-bit numbers and 128-bit products.
 */
final class ScalarTransforms implements WeightTransforms {

  @Override
  public TripleProducts open(TransformSlices transform) {
    return new Begun(transform, weights(transform));
  }

  /** Returns the weight of each word, by message. */
  private static short[] weights(TransformSlices transform) {
    PlainWords basis = PlainWords.of(transform.basis());
    if (basis.count() >= Integer.SIZE - 1) {
      throw new OutOfMemoryError("no memory for the weights of 2^" + basis.count() + " words");
    }
    short[] weights = new short[1 << basis.count()];
    for (int message = 0; message < weights.length; message++) {
      long[] word = new long[basis.longs()];
      for (int rest = message; rest != 0; rest &= rest - 1) {
        basis.addTo(word, Integer.numberOfTrailingZeros(rest));
      }
      weights[message] = (short) PlainWords.weight(word);
    }
    return weights;
  }

  @SuppressWarnings("ArrayRecordComponent") // Private and not modified.
  private record Begun(TransformSlices transform, short[] weights) implements TripleProducts {

    @Override
    public void add(int first, int count, TripleSums sums) {
      WeightPreconditions.requireSlices(transform, first, count, sums);
      for (int slice = first; slice < first + count; slice++) {
        addSlice(transform.slices().get(slice), sums);
      }
    }

    private void addSlice(Slice slice, TripleSums sums) {
      int order = transform.weights().size();
      long[][] f = new long[order][];
      for (int a = 0; a < order; a++) {
        f[a] = indicator(slice.functional(), transform.weights().get(a));
        transform(f[a]);
      }
      TripleSums once = new TripleSums(order);
      for (int a = 0; a < order; a++) {
        for (int b = a; b < order; b++) {
          for (int c = b; c < order; c++) {
            int index = once.index(a, b, c);
            for (int s = 0; s < f[a].length; s++) {
              once.addProduct(index, f[a][s], f[b][s], f[c][s]);
            }
          }
        }
      }
      sums.addMultiple(once, slice.multiplicity());
    }

    /**
     * Returns for each low part the words of a weight over all high parts, signed by the
     * functional.
     */
    private long[] indicator(int functional, int weight) {
      long[] values = new long[1 << transform.lowBits()];
      int highMask = (1 << transform.highBits()) - 1;
      for (int message = 0; message < weights.length; message++) {
        if (weights[message] == weight) {
          boolean odd = (Integer.bitCount(message & highMask & functional) & 1) == 1;
          values[message >>> transform.highBits()] += odd ? -1 : 1;
        }
      }
      return values;
    }

    /** Computes the Walsh–Hadamard transform in place. */
    private static void transform(long[] values) {
      for (int half = 1; half < values.length; half *= 2) {
        for (int i = 0; i < values.length; i++) {
          if ((i & half) == 0) {
            long sum = values[i] + values[i + half];
            values[i + half] = values[i] - values[i + half];
            values[i] = sum;
          }
        }
      }
    }

    @Override
    public void close() {
      // No native memory.
    }
  }
}
