package io.fieldstone.weights.distance;

import io.fieldstone.weights.codes.Permutation;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Permutations of positions that map one side of a CSS code to the other, so that one proof is that
 * of both.
 *
 * <p>Those that are tried are the identity, as of codes with equal X and Z checks, and the negation
 * of one or two cyclic indices, alone or with the exchange of both halves. For commuting circulant
 * blocks A and B, that maps X checks [A | B] to Z checks [Bᵀ | Aᵀ]: those of generalized and
 * bivariate bicycle codes.
 */
public final class SideExchange {

  private SideExchange() {}

  /**
   * Returns a permutation that maps the words of one space to those of another, and the words that
   * are left out, too; empty if none of those above does.
   */
  public static Optional<Permutation> find(WordSpace from, WordSpace to) {
    if (from.length() != to.length()
        || from.dimension() != to.dimension()
        || from.logicalDimension() != to.logicalDimension()
        || from.isQuotient() != to.isQuotient()) {
      return Optional.empty();
    }
    int n = from.length();
    Permutation identity = new Permutation(IntStream.range(0, n).boxed().toList());
    Stream<Permutation> negations =
        IntStream.of(2, 1)
            .filter(blocks -> n % blocks == 0)
            .boxed()
            .flatMap(blocks -> negations(n, blocks));
    return Stream.concat(Stream.of(identity), negations)
        .filter(permutation -> from.isMapped(permutation, to))
        .findFirst();
  }

  /**
   * Returns the negations of one or two indices in each of some blocks, whose order is reversed.
   */
  private static Stream<Permutation> negations(int n, int blocks) {
    int size = n / blocks;
    return IntStream.rangeClosed(1, size)
        .filter(outer -> size % outer == 0)
        .mapToObj(outer -> negation(blocks, outer, size / outer));
  }

  private static Permutation negation(int blocks, int outer, int inner) {
    int size = outer * inner;
    return new Permutation(
        IntStream.range(0, blocks * size)
            .mapToObj(position -> {
              int block = blocks - 1 - position / size;
              int i = (outer - position % size / inner) % outer;
              int j = (inner - position % inner) % inner;
              return block * size + i * inner + j;
            })
            .toList());
  }
}
