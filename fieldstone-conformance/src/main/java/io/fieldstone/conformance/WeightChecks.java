package io.fieldstone.conformance;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.weights.BinaryWords;
import io.fieldstone.engine.weights.PairCounting;
import io.fieldstone.engine.weights.PairTable;
import io.fieldstone.engine.weights.WordGroups;
import io.fieldstone.engine.weights.WordGroups.Group;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Compares counts of random words and pairs with the definition, bit by bit. */
final class WeightChecks {

  private final Engine engine;
  private final SplittableRandom random;

  WeightChecks(Engine engine, SplittableRandom random) {
    this.engine = engine;
    this.random = random;
  }

  private int length() {
    return 1 + random.nextInt(random.nextBoolean() ? 128 : BinaryWords.MAX_BITS);
  }

  /** Counts the weights of a few cosets of small spaces. */
  Optional<String> cosets() {
    return cosets(random.nextInt(8), random.nextInt(5), length());
  }

  /** Counts the weights of a space large enough to be split, or of many small spaces. */
  Optional<String> manyWords() {
    return random.nextBoolean()
        ? cosets(13 + random.nextInt(3), 1 + random.nextInt(2), length())
        : cosets(random.nextInt(3), 3000 + random.nextInt(3000), length());
  }

  private Optional<String> cosets(int rows, int offsetCount, int length) {
    try (Arena arena = Arena.ofConfined()) {
      RandomWords memory = new RandomWords(random, arena);
      BinaryWords basis = memory.words(rows, length);
      BinaryWords offsets = memory.words(offsetCount, length);
      long[] multiplicities = random.longs(offsetCount, 0, 1 << 20).toArray();
      long[] expected = random.longs(length + 1, 0, 100).toArray();
      long[] counts = expected.clone();
      for (int offset = 0; offset < offsetCount; offset++) {
        for (int message = 0; message < 1 << rows; message++) {
          expected[weight(basis, message, offsets, offset)] += multiplicities[offset];
        }
      }
      engine.weightCounts().count(basis, offsets, multiplicities, counts);
      return compare(
          "%d cosets of 2^%d words of %d bits".formatted(offsetCount, rows, length),
          expected,
          counts);
    }
  }

  private static int weight(BinaryWords basis, int message, BinaryWords offsets, int offset) {
    int weight = 0;
    for (int part = 0; part < basis.longs(); part++) {
      long bits = offsets.get(offset, part);
      for (int rest = message; rest != 0; rest &= rest - 1) {
        bits ^= basis.get(Integer.numberOfTrailingZeros(rest), part);
      }
      weight += Long.bitCount(bits);
    }
    return weight;
  }

  private static Optional<String> compare(String label, long[] expected, long[] actual) {
    int index = Arrays.mismatch(expected, actual);
    return index < 0
        ? Optional.empty()
        : Optional.of(
            "%s: %d at index %d instead of %d"
                .formatted(label, actual[index], index, expected[index]));
  }

  /** Counts rectangles of pairs of a few words in groups of random weights, by each method. */
  Optional<String> pairs() {
    return pairs(30, 4, length(), false);
  }

  /** Counts pairs of more words than an engine processes at once, with few weights. */
  Optional<String> manyPairs() {
    return pairs(1200, 3, length(), random.nextBoolean());
  }

  /**
   * Counts pairs by every method.
   *
   * @param spaced whether the number of common ones is a multiple of four, as in many codes
   */
  private Optional<String> pairs(int maxWords, int maxGroups, int length, boolean spaced) {
    try (Arena arena = Arena.ofConfined()) {
      WordGroups left = groups(arena, maxWords, maxGroups, length, spaced);
      WordGroups right =
          random.nextInt(3) == 0 ? left : groups(arena, maxWords, maxGroups, length, spaced);
      long firstLeft = random.nextLong(left.words().count() + 1);
      long countLeft = random.nextLong(left.words().count() - firstLeft + 1);
      long firstRight = random.nextLong(right.words().count() + 1);
      long countRight = random.nextLong(right.words().count() - firstRight + 1);
      int[] leftGroups = groupOfEach(left);
      int[] rightGroups = groupOfEach(right);
      PairTable expected = PairTable.of(left, right);
      for (long u = firstLeft; u < firstLeft + countLeft; u++) {
        for (long v = firstRight; v < firstRight + countRight; v++) {
          int x = commonOnes(left.words(), u, right.words(), v);
          expected.add(leftGroups[(int) u], rightGroups[(int) v], x, 1);
        }
      }
      for (String method : engine.pairCounts().methods()) {
        PairTable table = PairTable.of(left, right);
        try (PairCounting pairs = engine.pairCounts().open(left, right, method)) {
          // Adds two parts.
          long half = random.nextLong(countLeft + 1);
          pairs.count(firstLeft, half, firstRight, countRight, table);
          pairs.count(firstLeft + half, countLeft - half, firstRight, countRight, table);
        }
        Optional<String> failure =
            compare(
                "%s: %d×%d pairs of words of %d bits"
                    .formatted(method, countLeft, countRight, length),
                expected.toArray(),
                table.toArray());
        if (failure.isPresent()) {
          return failure;
        }
      }
      return Optional.empty();
    }
  }

  /** Counts common ones by words, because counting thousands of pairs bit by bit takes long. */
  private static int commonOnes(BinaryWords left, long u, BinaryWords right, long v) {
    int ones = 0;
    for (int part = 0; part < left.longs(); part++) {
      ones += Long.bitCount(left.get(u, part) & right.get(v, part));
    }
    return ones;
  }

  private static int[] groupOfEach(WordGroups words) {
    return IntStream.range(0, words.groups().size())
        .flatMap(group -> IntStream.generate(() -> group).limit(words.groups().get(group).count()))
        .toArray();
  }

  private WordGroups groups(Arena arena, int maxWords, int maxGroups, int length, boolean spaced) {
    List<Group> groups = new ArrayList<>();
    long total = 0;
    for (int i = random.nextInt(maxGroups) + 1; i > 0; i--) {
      int weight = random.nextInt(length + 1);
      Group group = new Group(spaced ? weight / 4 * 4 : weight, random.nextInt(maxWords + 1));
      groups.add(group);
      total += group.count();
    }
    RandomWords memory = new RandomWords(random, arena);
    BinaryWords words = memory.zeros(total, length);
    long first = 0;
    for (Group group : groups) {
      if (spaced) {
        fillWithQuads(words, first, group);
      } else {
        memory.fillWithWeight(words, first, group.count(), group.weight());
      }
      first += group.count();
    }
    return new WordGroups(words, groups);
  }

  /**
   * Fills words with aligned runs of four ones, so that any two have a multiple of four common
   * ones.
   */
  private void fillWithQuads(BinaryWords words, long first, Group group) {
    int quads = words.length() / 4;
    for (long word = first; word < first + group.count(); word++) {
      int missing = group.weight() / 4;
      for (int quad = 0; quad < quads; quad++) {
        if (random.nextInt(quads - quad) < missing) {
          for (int bit = 4 * quad; bit < 4 * quad + 4; bit++) {
            RandomWords.set(words, word, bit);
          }
          missing--;
        }
      }
    }
  }

  /** Checks that invalid words to count are rejected. */
  Optional<String> misuse() {
    try (Arena arena = Arena.ofConfined()) {
      BinaryWords words = new RandomWords(random, arena).words(1, 20);
      return rejected(() -> engine.weightCounts().count(words, words, new long[2], new long[21]))
          .or(() ->
              rejected(() -> engine.weightCounts().count(words, words, new long[1], new long[20])));
    }
  }

  /** Checks that invalid pairs to count are rejected. */
  Optional<String> misuseOfPairs() {
    try (Arena arena = Arena.ofConfined()) {
      RandomWords memory = new RandomWords(random, arena);
      BinaryWords words = memory.words(1, 20);
      WordGroups one = new WordGroups(words, List.of(new Group(weight(words, 0, words, 0), 1)));
      WordGroups longer = new WordGroups(memory.zeros(1, 21), List.of(new Group(0, 1)));
      String method = engine.pairCounts().methods().getFirst();
      List<Optional<String>> failures = new ArrayList<>();
      failures.add(rejected(() -> engine.pairCounts().open(one, one, "guess").close()));
      failures.add(rejected(() -> engine.pairCounts().open(one, longer, method).close()));
      try (PairCounting pairs = engine.pairCounts().open(one, one, method)) {
        PairTable table = PairTable.of(one, one);
        failures.add(rejected(() -> pairs.count(0, 2, 0, 1, table)));
        failures.add(rejected(() -> pairs.count(0, 1, 1, 1, table)));
        failures.add(rejected(() -> pairs.count(0, 1, 0, 1, new PairTable(2, 1, 20))));
      }
      return failures.stream().flatMap(Optional::stream).findFirst();
    }
  }

  static Optional<String> rejected(Runnable call) {
    try {
      call.run();
      return Optional.of("a call with invalid arguments was not rejected");
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return e.getMessage() == null
          ? Optional.of("rejected without a message: " + e)
          : Optional.empty();
    }
  }
}
