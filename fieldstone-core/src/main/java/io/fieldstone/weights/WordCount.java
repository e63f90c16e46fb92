package io.fieldstone.weights;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.weights.BinaryWords;
import io.fieldstone.engine.weights.WeightCounts;
import io.fieldstone.field.Gf2Orbits;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Counts the words of a message space by weight: for one low part of each orbit of messages, all
 * high parts. Without symmetries every low part is an orbit.
 */
final class WordCount {

  /** Bits of a message that are enumerated by orbits at most: a bit of memory for each value. */
  private static final int MAX_LOW_BITS = 28;

  /** Of putting a low part into its orbit, against counting a word. */
  private static final double ORBIT_COST = 20;

  /** Offsets of one call: with a small basis still milliseconds of work. */
  private static final int OFFSETS = 4096;

  /** Bits that one call of the engine enumerates where nothing calls for more. */
  private static final int HIGH_BITS = 18;

  /** Some twenty minutes of a few cores. */
  private static final double MAX_WORDS = 0x1p40;

  private final Engine engine;
  private final MessageSpace space;
  private final long[] counts;

  private WordCount(Engine engine, MessageSpace space) {
    this.engine = engine;
    this.space = space;
    this.counts = new long[space.length() + 1];
  }

  /**
   * How many words of the space, a half if it is one, have each weight.
   *
   * @throws IllegalArgumentException unless they are {@linkplain #isWithinReach within reach}
   */
  static long[] of(Engine engine, MessageSpace space) {
    WordCount count = new WordCount(engine, space);
    int lowBits = count.lowBits();
    if (!isWithinReach(engine, space)) {
      throw new IllegalArgumentException(
          "2^%d words are too many to look at".formatted(space.dimension()));
    }
    count.run(lowBits);
    return count.counts;
  }

  /** Whether the words to look at are not too many to wait for. */
  static boolean isWithinReach(Engine engine, MessageSpace space) {
    WordCount count = new WordCount(engine, space);
    int lowBits = count.lowBits();
    return space.dimension() - lowBits <= WeightCounts.MAX_ROWS && count.cost(lowBits) <= MAX_WORDS;
  }

  /**
   * Whole blocks, the first ones of the space, such that finding orbits and counting the words of
   * one of each cost least; any number of bits where there are no symmetries.
   */
  private int lowBits() {
    if (space.maps().isEmpty()) {
      return Math.clamp(space.dimension() - HIGH_BITS, 0, MAX_LOW_BITS);
    }
    int best = 0;
    int bits = 0;
    for (int size : space.blocks()) {
      bits += size;
      if (bits <= MAX_LOW_BITS
          && (cost(bits) < cost(best) || space.dimension() - best > WeightCounts.MAX_ROWS)) {
        best = bits;
      }
    }
    return best;
  }

  private double cost(int lowBits) {
    double low = Math.scalb(1.0, lowBits);
    double orbits = 1 + low / space.group().size();
    return ORBIT_COST * low + orbits * Math.scalb(1.0, space.dimension() - lowBits);
  }

  private void run(int lowBits) {
    List<List<Integer>> maps =
        space.maps().stream()
            .map(map -> IntStream.range(0, lowBits).mapToObj(bit -> (int) map[bit]).toList())
            .toList();
    try (Arena arena = Arena.ofConfined()) {
      List<long[]> highBasis = space.basis().subList(lowBits, space.dimension());
      BinaryWords basis = Words.of(arena, highBasis, space.length());
      BinaryWords offsets = Words.allocate(arena, OFFSETS, space.length());
      List<Long> sizes = new ArrayList<>();
      new Gf2Orbits(lowBits, maps)
          .forEach((message, size) -> {
            Words.set(offsets, sizes.size(), Words.word(space.basis(), 0, message, space.length()));
            sizes.add((long) size);
            if (sizes.size() == OFFSETS) {
              count(basis, offsets, sizes);
            }
          });
      count(basis, offsets, sizes);
    }
  }

  private void count(BinaryWords basis, BinaryWords offsets, List<Long> sizes) {
    engine
        .weightCounts()
        .count(
            basis,
            offsets.words(0, sizes.size()),
            sizes.stream().mapToLong(size -> size).toArray(),
            counts);
    sizes.clear();
  }
}
