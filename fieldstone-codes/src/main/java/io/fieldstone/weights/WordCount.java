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
 * Counts the words of a message space by weight: all high parts for one low part of each orbit.
 * Without symmetries, every low part is an orbit.
 */
final class WordCount {

  /** The maximum bits that are enumerated by orbits, which takes one bit of memory per value. */
  private static final int MAX_LOW_BITS = 28;

  /** The cost of finding the orbit of a low part relative to counting a word. */
  private static final double ORBIT_COST = 20;

  /** The number of offsets of one call; with a small basis, a call still takes milliseconds. */
  private static final int OFFSETS = 4096;

  /** The default number of bits that one call of the engine enumerates. */
  private static final int HIGH_BITS = 18;

  /** The maximum number of words, about twenty minutes on a few cores. */
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
   * Counts the words of the space by weight.
   *
   * @throws IllegalArgumentException unless the space is {@linkplain #isWithinReach within reach}
   */
  static long[] of(Engine engine, MessageSpace space) {
    WordCount count = new WordCount(engine, space);
    int lowBits = count.lowBits();
    if (!isWithinReach(engine, space)) {
      throw new IllegalArgumentException(
          "2^%d words are too many to enumerate".formatted(space.dimension()));
    }
    count.run(lowBits);
    return count.counts;
  }

  /** Returns true if the words can be counted in acceptable time. */
  static boolean isWithinReach(Engine engine, MessageSpace space) {
    WordCount count = new WordCount(engine, space);
    int lowBits = count.lowBits();
    return space.dimension() - lowBits <= WeightCounts.MAX_ROWS && count.cost(lowBits) <= MAX_WORDS;
  }

  /**
   * Returns the low bits of least cost: whole blocks from the start of the space, or any number of
   * bits without symmetries.
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
