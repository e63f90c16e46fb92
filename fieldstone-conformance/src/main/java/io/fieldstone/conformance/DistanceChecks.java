package io.fieldstone.conformance;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.weights.InformationSetTrials;
import io.fieldstone.engine.weights.InformationSetTrials.Trial;
import io.fieldstone.engine.weights.InformationSetWalk;
import io.fieldstone.engine.weights.LabelledWords;
import io.fieldstone.engine.weights.LightSums;
import io.fieldstone.engine.weights.LightSums.Sum;
import io.fieldstone.engine.weights.Subsets;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Compares light sums and trials of information sets with the definition, bit by bit. */
final class DistanceChecks {

  private static final int MAX_ROWS = 16;

  private final Engine engine;
  private final SplittableRandom random;

  DistanceChecks(Engine engine, SplittableRandom random) {
    this.engine = engine;
    this.random = random;
  }

  /** Rows as sets of positions, and as an engine takes them. */
  private record Rows(List<BitSet> words, List<BitSet> labels, LabelledWords packed) {

    int weight(int[] chosen) {
      BitSet word = new BitSet();
      BitSet label = new BitSet();
      for (int row : chosen) {
        word.xor(words.get(row));
        label.xor(labels.get(row));
      }
      return packed.labelBits() > 0 && label.isEmpty() ? Integer.MAX_VALUE : word.cardinality();
    }
  }

  private Rows rows(int count, int length, int labelBits) {
    List<BitSet> words = bits(count, length);
    List<BitSet> labels = bits(count, labelBits);
    int longs = Math.ceilDiv(length, Long.SIZE);
    long[][] packed = new long[count][longs + Math.ceilDiv(labelBits, Long.SIZE)];
    for (int row = 0; row < count; row++) {
      long[] word = words.get(row).toLongArray();
      long[] label = labels.get(row).toLongArray();
      System.arraycopy(word, 0, packed[row], 0, word.length);
      System.arraycopy(label, 0, packed[row], longs, label.length);
    }
    return new Rows(words, labels, LabelledWords.of(packed, length, labelBits));
  }

  /** Returns random sets, in a third of cases of few positions. */
  private List<BitSet> bits(int count, int length) {
    int sparse = random.nextInt(3) == 0 ? 4 : 1;
    List<BitSet> sets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      BitSet set = new BitSet();
      for (int bit = 0; bit < length; bit++) {
        set.set(bit, random.nextInt(2 * sparse) == 0);
      }
      sets.add(set);
    }
    return sets;
  }

  private int length() {
    return 1 + random.nextInt(random.nextInt(3) == 0 ? 600 : 70);
  }

  private int labelBits() {
    return random.nextBoolean() ? 0 : 1 + random.nextInt(random.nextInt(4) == 0 ? 70 : 3);
  }

  /** Finds the lightest of a range of sums, below any weight or few. */
  Optional<String> lightest() {
    Rows rows = rows(1 + random.nextInt(MAX_ROWS), length(), labelBits());
    Range range = range(rows);
    int max = maxWeight(rows);
    Optional<Sum> expected =
        Arrays.stream(range.weights).min().stream()
            .filter(least -> least <= max)
            .mapToObj(least -> new Sum(least, range.first + range.indexOf(least)))
            .findFirst();
    Optional<Sum> actual =
        engine.lightSums().lightest(rows.packed, range.size, range.first, range.count(), max);
    return differing(range + " of " + describe(rows) + " up to " + max, expected, actual);
  }

  /** Finds all light sums of a range, or that there are more. */
  Optional<String> light() {
    return light(rows(1 + random.nextInt(MAX_ROWS), length(), labelBits()), random.nextInt(400));
  }

  /** Finds light sums of more than an engine tries at once. */
  Optional<String> lightOfMany() {
    return light(rows(21 + random.nextInt(3), 30 + random.nextInt(80), labelBits()), 1 << 20);
  }

  private Optional<String> light(Rows rows, int maxFound) {
    Range range = range(rows);
    int max = maxWeight(rows);
    long[] all =
        IntStream.range(0, range.weights.length)
            .filter(i -> range.weights[i] <= max)
            .mapToLong(i -> range.first + i)
            .toArray();
    String expected = all.length > maxFound ? "more" : Arrays.toString(all);
    String actual =
        engine
            .lightSums()
            .light(rows.packed, range.size, range.first, range.count(), max, maxFound)
            .map(Arrays::toString)
            .orElse("more");
    return differing(range + " of " + describe(rows) + " up to " + max, expected, actual);
  }

  private int maxWeight(Rows rows) {
    int length = rows.packed.length();
    return random.nextInt(3) == 0 ? length : random.nextInt(length + 2) / 2 - 1;
  }

  /** The weights of consecutive sums. */
  @SuppressWarnings("ArrayRecordComponent") // Of this class alone, which only reads it.
  private record Range(int size, long first, int[] weights) {
    long count() {
      return weights.length;
    }

    long indexOf(int weight) {
      return IntStream.range(0, weights.length)
          .filter(i -> weights[i] == weight)
          .findFirst()
          .orElseThrow();
    }

    @Override
    public String toString() {
      return "%d sums of %d rows from %d on".formatted(weights.length, size, first);
    }
  }

  private Range range(Rows rows) {
    int k = rows.words.size();
    int size = 1 + random.nextInt(Math.min(k, 9));
    long all = Subsets.exact(k, size);
    long first = random.nextBoolean() ? 0 : random.nextLong(all + 1);
    long count = random.nextBoolean() ? all - first : random.nextLong(all - first + 1);
    int[] weights = new int[(int) count];
    for (int i = 0; i < count; i++) {
      weights[i] = rows.weight(Subsets.subset(k, size, first + i));
    }
    return new Range(size, first, weights);
  }

  private static String describe(Rows rows) {
    return "%d rows of %d bits with labels of %d"
        .formatted(rows.packed.count(), rows.packed.length(), rows.packed.labelBits());
  }

  private static Optional<String> differing(String label, Object expected, Object actual) {
    return expected.equals(actual)
        ? Optional.empty()
        : Optional.of("%s: %s instead of %s".formatted(label, actual, expected));
  }

  /** Runs walks, and compares the word that is found with one of the code. */
  Optional<String> trials() {
    int count = 1 + random.nextInt(random.nextInt(4) == 0 ? 45 : 12);
    Rows rows = rows(count, 1 + random.nextInt(random.nextInt(3) == 0 ? 300 : 40), labelBits());
    int depth = 1 + random.nextInt(count > 20 ? 2 : InformationSetTrials.MAX_DEPTH);
    long seed = random.nextLong();
    long first = random.nextInt(1000);
    int walks = random.nextInt(4);
    int max = random.nextBoolean() ? rows.packed.length() + count : rows.packed.length() / 3;
    Optional<Trial> expected =
        IntStream.range(0, walks)
            .mapToObj(walk -> walk(rows, depth, seed, first + walk))
            .flatMap(List::stream)
            .filter(trial -> trial.weight() <= max)
            .min(Trial::compareTo);
    Optional<Trial> actual =
        engine.informationSetTrials().lightest(rows.packed, depth, seed, first, walks, max);
    String label = "%d walks, depth %d, %s".formatted(walks, depth, describe(rows));
    return differing(label, expected, actual)
        .or(() -> actual.flatMap(trial -> word(rows, depth, seed, trial)));
  }

  /** Returns the lightest weight of each trial of a walk, by the definition. */
  private static List<Trial> walk(Rows rows, int depth, long seed, long number) {
    int k = rows.words.size();
    int m = rows.packed.length();
    List<BitSet> words = rows.words.stream().map(word -> (BitSet) word.clone()).toList();
    List<BitSet> labels = rows.labels.stream().map(label -> (BitSet) label.clone()).toList();
    Rows matrix = new Rows(words, labels, rows.packed);
    long key = InformationSetWalk.key(seed, number);
    long step = 0;
    List<Trial> trials = new ArrayList<>();
    for (int trial = 0; trial < InformationSetWalk.TRIALS; trial++) {
      int steps = Math.ceilDiv(k * m, k + m) * (trial == 0 ? InformationSetWalk.FIRST_STEPS : 1);
      for (int i = 0; i < steps; i++) {
        exchange(words, labels, m, InformationSetWalk.draw(key, ++step));
      }
      int least = Integer.MAX_VALUE;
      for (int size = 1; size <= Math.min(depth, k); size++) {
        for (long subset = 0; subset < Subsets.exact(k, size); subset++) {
          int weight = matrix.weight(Subsets.subset(k, size, subset));
          least = Math.min(least, weight == Integer.MAX_VALUE ? weight : weight + size);
        }
      }
      trials.add(new Trial(least, number * InformationSetWalk.TRIALS + trial));
    }
    return trials;
  }

  private static void exchange(List<BitSet> words, List<BitSet> labels, int m, long draw) {
    int k = words.size();
    int column = (int) ((draw & 0xFFFFFFFFL) * m >>> 32);
    int start = (int) ((draw >>> 32) * k >>> 32);
    Optional<Integer> pivot =
        IntStream.range(0, k)
            .map(i -> (start + i) % k)
            .filter(row -> words.get(row).get(column))
            .boxed()
            .findFirst();
    pivot.ifPresent(row -> {
      for (int other = 0; other < k; other++) {
        if (other != row && words.get(other).get(column)) {
          words.get(other).xor(words.get(row));
          words.get(other).set(column);
          labels.get(other).xor(labels.get(row));
        }
      }
    });
  }

  private static Optional<String> word(Rows rows, int depth, long seed, Trial trial) {
    int k = rows.words.size();
    BitSet word = InformationSetWalk.word(rows.packed, depth, seed, trial);
    BitSet rest = new BitSet();
    for (int column = k; column < k + rows.packed.length(); column++) {
      rest.set(column - k, word.get(column));
    }
    BitSet label = new BitSet();
    for (int row = word.nextSetBit(0); row >= 0 && row < k; row = word.nextSetBit(row + 1)) {
      rest.xor(rows.words.get(row));
      label.xor(rows.labels.get(row));
    }
    boolean isRight =
        rest.isEmpty()
            && word.cardinality() == trial.weight()
            && (rows.packed.labelBits() == 0 || !label.isEmpty());
    return isRight ? Optional.empty() : Optional.of(describe(rows) + ": a wrong word " + word);
  }

  /** Checks that invalid sums are rejected. */
  Optional<String> misuse() {
    LabelledWords rows = rows(5, 20, 0).packed;
    LabelledWords many = new LabelledWords(MemorySegment.ofArray(new long[100]), 100, 20, 0);
    LightSums sums = engine.lightSums();
    return firstOf(
        () -> sums.lightest(rows, 0, 0, 1, 20),
        () -> sums.lightest(rows, 6, 0, 1, 20),
        () -> sums.lightest(rows, 2, 1, 10, 20),
        () -> sums.lightest(rows, 2, -1, 1, 20),
        () -> sums.lightest(many, 50, 0, 1, 20),
        () -> sums.light(rows, 2, 0, 1, 20, -1),
        () -> sums.light(rows, 2, 11, 0, 20, 9));
  }

  /** Checks that invalid trials are rejected. */
  Optional<String> misuseOfTrials() {
    LabelledWords rows = rows(5, 20, 0).packed;
    InformationSetTrials trials = engine.informationSetTrials();
    return firstOf(
        () -> trials.lightest(rows, 0, 1, 0, 1, 20),
        () -> trials.lightest(rows, 4, 1, 0, 1, 20),
        () -> trials.lightest(rows, 1, 1, -1, 1, 20),
        () -> trials.lightest(rows, 1, 1, 0, -1, 20),
        () -> trials.lightest(rows(0, 20, 0).packed, 1, 1, 0, 1, 20));
  }

  private static Optional<String> firstOf(Runnable... calls) {
    return CheckFailures.firstOf(Stream.of(calls).map(WeightChecks::rejected));
  }
}
