package io.fieldstone.weights;

import io.fieldstone.engine.weights.BinaryWords;
import io.fieldstone.engine.weights.WordGroups;
import io.fieldstone.engine.weights.WordGroups.Group;
import io.fieldstone.field.Gf2Orbits;
import io.fieldstone.weights.codes.BinaryCode;
import io.fieldstone.weights.codes.CodeCoordinates;
import io.fieldstone.weights.codes.Permutation;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The words of a code whose pairs are counted, sorted by weight.
 *
 * @param left the words u: all, or one of each orbit
 * @param multiplicities for each group of left words, the number of words that each represents
 * @param right the words v: all words
 * @param isSymmetric true if a count holds for all orders of the weights of u, v, u + v
 * @param arena the arena of the words, which this closes
 */
record PairWords(
    WordGroups left, List<Long> multiplicities, WordGroups right, boolean isSymmetric, Arena arena)
    implements AutoCloseable {

  /** Returns all words on both sides. */
  static PairWords all(BinaryCode code, boolean isSymmetric, Arena arena) {
    WordGroups words = sorted(code, arena);
    List<Long> once = words.groups().stream().map(_ -> 1L).toList();
    return new PairWords(words, once, words, isSymmetric, arena);
  }

  private static WordGroups sorted(BinaryCode code, Arena arena) {
    List<long[]> basis = basis(code);
    long count = 1L << code.dimension();
    long[] counts = new long[code.length() + 1];
    walk(basis, code.length(), count, (_, word) -> counts[Words.weight(word)]++);
    long[] next = new long[counts.length];
    List<Group> groups = new ArrayList<>();
    long first = 0;
    for (int weight = 0; weight < counts.length; weight++) {
      next[weight] = first;
      first += counts[weight];
      if (counts[weight] > 0) {
        groups.add(new Group(weight, counts[weight]));
      }
    }
    BinaryWords words = Words.allocate(arena, count, code.length());
    walk(
        basis,
        code.length(),
        count,
        (_, word) -> Words.set(words, next[Words.weight(word)]++, word));
    return new WordGroups(words, groups);
  }

  private static List<long[]> basis(BinaryCode code) {
    return IntStream.range(0, code.dimension()).mapToObj(row -> code.generator().row(row)).toList();
  }

  /** Receives a word, which is valid during the call. */
  private interface WordVisitor {
    void visit(long message, long[] word);
  }

  /** Visits all words in Gray-code order, with one row added per step. */
  private static void walk(List<long[]> basis, int length, long count, WordVisitor visitor) {
    long[] word = new long[Math.ceilDiv(length, Long.SIZE)];
    visitor.visit(0, word);
    for (long step = 1; step < count; step++) {
      long[] row = basis.get(Long.numberOfTrailingZeros(step));
      for (int part = 0; part < word.length; part++) {
        word[part] ^= row[part];
      }
      visitor.visit(step ^ step >>> 1, word);
    }
  }

  /** Returns one word u of each orbit under automorphisms, and all words v. */
  static PairWords orbits(BinaryCode code, List<Permutation> automorphisms, Arena arena) {
    List<long[]> basis = basis(code);
    CodeCoordinates coordinates = CodeCoordinates.of(basis);
    List<List<Integer>> maps =
        automorphisms.stream()
            .map(each -> basis.stream().map(row -> message(coordinates, each.apply(row))).toList())
            .toList();
    record Kind(int weight, long size) {}
    Map<Kind, List<Integer>> representatives =
        new TreeMap<>(Comparator.comparingInt(Kind::weight).thenComparingLong(Kind::size));
    new Gf2Orbits(code.dimension(), maps)
        .forEach((message, size) -> {
          int weight = Words.weight(Words.word(basis, 0, message, code.length()));
          representatives
              .computeIfAbsent(new Kind(weight, size), _ -> new ArrayList<>())
              .add(message);
        });
    List<Group> groups =
        representatives.entrySet().stream()
            .map(entry -> new Group(entry.getKey().weight(), entry.getValue().size()))
            .toList();
    List<Integer> messages = representatives.values().stream().flatMap(List::stream).toList();
    BinaryWords left = Words.allocate(arena, messages.size(), code.length());
    for (int word = 0; word < messages.size(); word++) {
      Words.set(left, word, Words.word(basis, 0, messages.get(word), code.length()));
    }
    return new PairWords(
        new WordGroups(left, groups),
        representatives.keySet().stream().map(Kind::size).toList(),
        sorted(code, arena),
        false,
        arena);
  }

  private static int message(CodeCoordinates coordinates, long[] word) {
    return coordinates.of(word).orElseThrow().stream().map(bit -> 1 << bit).sum();
  }

  /** Frees the words. */
  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
