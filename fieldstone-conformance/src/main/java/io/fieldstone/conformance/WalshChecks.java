package io.fieldstone.conformance;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.weights.WalshCounts;
import io.fieldstone.field.Gf2Modulus;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Compares numbers of long words with the weights of all sums of rows, and with a recurrence. */
final class WalshChecks {

  private final Engine engine;
  private final SplittableRandom random;

  WalshChecks(Engine engine, SplittableRandom random) {
    this.engine = engine;
    this.random = random;
  }

  /** Counts the sums of few rows, with and without a word that is added to all. */
  Optional<String> words() {
    int rows = random.nextInt(9);
    return compare(columns(1 + random.nextInt(700), rows), rows);
  }

  /** Counts the sums of more rows, of lengths around those at which numbers need more bits. */
  Optional<String> manyWords() {
    int[] lengths = {1, 300, (1 << 15) - 1, 1 << 15};
    int length = lengths[random.nextInt(lengths.length)];
    int rows = (length < 1000 ? 16 : 13) + random.nextInt(3);
    return compare(columns(length, rows), rows);
  }

  private int[] columns(int length, int rows) {
    int bits = rows + random.nextInt(2);
    int[] columns = new int[length];
    Arrays.setAll(columns, _ -> bits == 0 ? 0 : random.nextInt() >>> Integer.SIZE - bits);
    return columns;
  }

  private Optional<String> compare(int[] columns, int rows) {
    long[] expected = new long[columns.length + 1];
    for (int sum = 0; sum < 1 << rows; sum++) {
      int chosen = sum | 1 << rows;
      int weight = 0;
      for (int column : columns) {
        weight += Integer.bitCount(column & chosen) & 1;
      }
      expected[weight]++;
    }
    return difference(columns, rows, expected);
  }

  private Optional<String> difference(int[] columns, int rows, long[] expected) {
    long[] counts = engine.walshCounts().count(columns, rows);
    int weight = Arrays.mismatch(counts, expected);
    return weight < 0
        ? Optional.empty()
        : Optional.of(
            "%d sums of %d rows of %d bits: %s of weight %d, expected %s"
                .formatted(
                    1L << rows,
                    rows,
                    columns.length,
                    weight < counts.length ? counts[weight] : "no number",
                    weight,
                    weight < expected.length ? expected[weight] : "none"));
  }

  /**
   * Counts words that are windows of the sequence of a primitive polynomial of degree 20: the next
   * one has one bit more and one less.
   */
  Optional<String> windows() {
    Gf2Modulus modulus = Gf2Modulus.of(20, 9);
    int length = 20 + random.nextInt(3000);
    int[] columns = new int[length];
    long power = 1;
    for (int i = 0; i < length; i++) {
      columns[i] = (int) power;
      power = modulus.timesX(power);
    }
    int period = (1 << modulus.degree()) - 1;
    boolean[] sequence = new boolean[period];
    for (int i = 0; i < period; i++) {
      sequence[i] = (power & 1) == 1;
      power = modulus.timesX(power);
    }
    long[] expected = new long[length + 1];
    expected[0] = 1;
    int weight = 0;
    for (int i = 0; i < length; i++) {
      weight += sequence[i] ? 1 : 0;
    }
    for (int i = 0; i < period; i++) {
      expected[weight]++;
      weight += (sequence[(i + length) % period] ? 1 : 0) - (sequence[i] ? 1 : 0);
    }
    return difference(columns, modulus.degree(), expected);
  }

  /** Checks that arguments out of range are rejected. */
  Optional<String> misuse() {
    WalshCounts port = engine.walshCounts();
    List<Runnable> calls =
        List.of(
            () -> use(port, new int[0], 3),
            () -> use(port, new int[WalshCounts.MAX_LENGTH + 1], 3),
            () -> use(port, new int[9], -1),
            () -> use(port, new int[9], 33),
            () -> use(port, new int[] {1, 16}, 3));
    return calls.stream().map(WeightChecks::rejected).flatMap(Optional::stream).findFirst();
  }

  private static void use(WalshCounts port, int[] columns, int rows) {
    long[] _ = port.count(columns, rows);
  }
}
