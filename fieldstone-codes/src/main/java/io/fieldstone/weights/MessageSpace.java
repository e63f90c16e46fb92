package io.fieldstone.weights;

import io.fieldstone.weights.codes.BinaryCode;
import io.fieldstone.weights.codes.CodeCoordinates;
import io.fieldstone.weights.codes.Permutation;
import java.math.BigInteger;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The messages of a code, in blocks that known automorphisms of the code preserve. If the code
 * contains the all-ones word, it may be a complement of that word, half of the messages.
 *
 * @param length the length n
 * @param basis a word for each bit of a message, block after block
 * @param blocks the bits of each block
 * @param maps generators of the symmetries: the image of each bit of a message, as bits
 * @param group all symmetries, the identity first
 * @param isHalf true if the code also contains the complement of each of these words
 */
@SuppressWarnings("ArrayRecordComponent") // Of this package alone, which only reads them.
record MessageSpace(
    int length,
    List<long[]> basis,
    List<Integer> blocks,
    List<long[]> maps,
    List<long[]> group,
    boolean isHalf) {

  /** The maximum order of permutations; longer ones take more time to split by than they save. */
  private static final int MAX_ORDER = 1023;

  /** The maximum number of symmetries. */
  private static final int MAX_SYMMETRIES = 4096;

  /** The maximum bits of a message, which is a {@code long}. */
  private static final int MAX_BITS = Long.SIZE - 1;

  /** Returns the messages in one block without symmetries, and without the all-ones word. */
  static MessageSpace plain(BinaryCode code) {
    List<long[]> basis = rows(code);
    boolean isHalf = removeAllOnes(basis, code.length());
    return plain(code.length(), basis, isHalf);
  }

  /** Returns the messages of a basis in one block without symmetries. */
  static MessageSpace plain(int length, List<long[]> basis, boolean isHalf) {
    return new MessageSpace(
        length, basis, List.of(basis.size()), List.of(), List.of(identity(basis.size())), isHalf);
  }

  /** Returns the same messages without symmetries. */
  MessageSpace withoutSymmetries() {
    return plain(length, basis, isHalf);
  }

  private static long[] identity(int bits) {
    return IntStream.range(0, Math.min(bits, MAX_BITS)).mapToLong(bit -> 1L << bit).toArray();
  }

  /**
   * Returns the messages, split by the automorphisms of a code. The first of odd order splits it
   * into blocks; others are used if they preserve the blocks.
   *
   * @param automorphisms verified automorphisms of the code
   */
  static MessageSpace split(BinaryCode code, List<Permutation> automorphisms) {
    Optional<Permutation> splitting =
        automorphisms.stream().filter(MessageSpace::isUseful).findFirst();
    if (splitting.isEmpty() || code.dimension() > MAX_BITS) {
      return plain(code);
    }
    List<List<long[]>> components = components(code, splitting.get());
    List<long[]> basis = new ArrayList<>();
    List<Integer> blocks = new ArrayList<>();
    boolean isHalf = false;
    for (List<long[]> component : components) {
      isHalf |= removeAllOnes(component, code.length());
      if (!component.isEmpty()) {
        basis.addAll(component);
        blocks.add(component.size());
      }
    }
    List<long[]> maps = new ArrayList<>();
    CodeCoordinates coordinates = CodeCoordinates.of(basis);
    for (Permutation automorphism : automorphisms) {
      map(automorphism, basis, blocks, coordinates).ifPresent(maps::add);
    }
    List<long[]> group = group(basis.size(), maps);
    return group.isEmpty()
        ? plain(code.length(), basis, isHalf)
        : new MessageSpace(code.length(), basis, blocks, maps, group, isHalf);
  }

  private static boolean isUseful(Permutation permutation) {
    int order = permutation.orderUpTo(MAX_ORDER);
    return order > 1 && order <= MAX_ORDER && order % 2 == 1;
  }

  private static List<long[]> rows(BinaryCode code) {
    List<long[]> rows = new ArrayList<>();
    for (int row = 0; row < code.dimension(); row++) {
      rows.add(code.generator().row(row));
    }
    return rows;
  }

  /** Replaces a basis by that of a complement of the all-ones word, if the word is in its span. */
  private static boolean removeAllOnes(List<long[]> basis, int length) {
    Optional<BitSet> rows = CodeCoordinates.of(basis).of(BinaryCode.allOnes(length));
    rows.ifPresent(sum -> basis.remove(sum.nextSetBit(0)));
    return rows.isPresent();
  }

  /** Returns bases of the images of the code under each primitive idempotent of the permutation. */
  private static List<List<long[]>> components(BinaryCode code, Permutation permutation) {
    int order = permutation.orderUpTo(MAX_ORDER);
    List<List<long[]>> powers = new ArrayList<>();
    powers.add(rows(code));
    for (int power = 1; power < order; power++) {
      powers.add(new ArrayList<>(powers.getLast().stream().map(permutation::apply).toList()));
    }
    List<List<long[]>> components = new ArrayList<>();
    for (BigInteger idempotent : PrimitiveIdempotents.of(order)) {
      List<long[]> component = new ArrayList<>();
      for (int row = 0; row < code.dimension(); row++) {
        long[] image = new long[powers.getFirst().getFirst().length];
        for (int power = 0; power < order; power++) {
          if (idempotent.testBit(power)) {
            add(image, powers.get(power).get(row));
          }
        }
        if (CodeCoordinates.of(component).of(image).isEmpty()) {
          component.add(image);
        }
      }
      components.add(component);
    }
    return components;
  }

  private static void add(long[] sum, long[] word) {
    for (int part = 0; part < sum.length; part++) {
      sum[part] ^= word[part];
    }
  }

  /** Returns the map of messages for a permutation; empty if it does not preserve the blocks. */
  private static Optional<long[]> map(
      Permutation permutation,
      List<long[]> basis,
      List<Integer> blocks,
      CodeCoordinates coordinates) {
    long[] images = new long[basis.size()];
    int first = 0;
    for (int size : blocks) {
      long block = (1L << size) - 1 << first;
      for (int bit = first; bit < first + size; bit++) {
        Optional<BitSet> image = coordinates.of(permutation.apply(basis.get(bit)));
        if (image.isEmpty()) {
          return Optional.empty();
        }
        images[bit] = image.get().isEmpty() ? 0 : image.get().toLongArray()[0];
        if ((images[bit] & ~block) != 0) {
          return Optional.empty();
        }
      }
      first += size;
    }
    return Optional.of(images);
  }

  /** Returns the bits of a message. */
  int dimension() {
    return basis.size();
  }

  /** Returns this space with blocks in another order. */
  MessageSpace reordered(List<Integer> order) {
    int[] newPlace = new int[dimension()];
    List<long[]> newBasis = new ArrayList<>();
    for (int block : order) {
      int first = blocks.subList(0, block).stream().mapToInt(size -> size).sum();
      for (int bit = first; bit < first + blocks.get(block); bit++) {
        newPlace[bit] = newBasis.size();
        newBasis.add(basis.get(bit));
      }
    }
    return new MessageSpace(
        length,
        newBasis,
        order.stream().map(blocks::get).toList(),
        maps.stream().map(map -> permuted(map, newPlace)).toList(),
        group.stream().map(map -> permuted(map, newPlace)).toList(),
        isHalf);
  }

  private static long[] permuted(long[] map, int[] newPlace) {
    long[] newMap = new long[map.length];
    for (int bit = 0; bit < map.length; bit++) {
      newMap[newPlace[bit]] = permuted(map[bit], newPlace);
    }
    return newMap;
  }

  private static long permuted(long bits, int[] newPlace) {
    long permuted = 0;
    for (long rest = bits; rest != 0; rest &= rest - 1) {
      permuted |= 1L << newPlace[Long.numberOfTrailingZeros(rest)];
    }
    return permuted;
  }

  /** Returns all products of maps, the identity first; empty if there are too many. */
  private static List<long[]> group(int bits, List<long[]> maps) {
    List<long[]> group = new ArrayList<>(List.of(identity(bits)));
    Set<LongBuffer> seen = new HashSet<>(List.of(LongBuffer.wrap(group.getFirst())));
    for (int next = 0; next < group.size(); next++) {
      for (long[] generator : maps) {
        long[] product = new long[bits];
        for (int bit = 0; bit < bits; bit++) {
          product[bit] = image(generator, group.get(next)[bit]);
        }
        if (seen.add(LongBuffer.wrap(product))) {
          group.add(product);
        }
      }
      if (group.size() > MAX_SYMMETRIES) {
        return List.of();
      }
    }
    return group;
  }

  private static long image(long[] map, long message) {
    long image = 0;
    for (long rest = message; rest != 0; rest &= rest - 1) {
      image ^= map[Long.numberOfTrailingZeros(rest)];
    }
    return image;
  }
}
