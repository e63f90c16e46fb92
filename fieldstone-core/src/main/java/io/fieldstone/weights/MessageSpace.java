package io.fieldstone.weights;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The messages of a code, or of the half of it that is left when the word of all ones is divided
 * out, arranged in blocks such that known automorphisms of the code map each block of a message to
 * itself.
 *
 * @param length n
 * @param basis a word for each bit of a message, block after block
 * @param blocks bits of each block
 * @param maps generators of the symmetries: for each the image of each bit of a message, as bits
 * @param isHalf whether the code has, besides each of these words, its complement
 */
@SuppressWarnings("ArrayRecordComponent") // Of this package alone, which only reads them.
record MessageSpace(
    int length, List<long[]> basis, List<Integer> blocks, List<long[]> maps, boolean isHalf) {

  /** Longer permutations leave too little to gain for the time it takes to split by them. */
  private static final int MOST_ORDER = 1023;

  /** More symmetries than these are not looked for. */
  private static final int MOST_SYMMETRIES = 4096;

  /** Of a message, which is the bits of a {@code long}. */
  private static final int MOST_BITS = Long.SIZE - 1;

  /**
   * Without symmetries, in one block.
   *
   * @param halve whether to leave out the word of all ones, if the code has it
   */
  static MessageSpace plain(BinaryCode code, boolean halve) {
    List<long[]> basis = rows(code);
    boolean isHalf = halve && removeAllOnes(basis, code.length());
    return new MessageSpace(code.length(), basis, List.of(basis.size()), List.of(), isHalf);
  }

  /**
   * By the automorphisms of a code. The first of odd order splits it into blocks; of the others
   * those are kept that respect them.
   *
   * @param automorphisms of the code; verified
   */
  static MessageSpace split(BinaryCode code, List<Permutation> automorphisms) {
    Optional<Permutation> splitting =
        automorphisms.stream().filter(MessageSpace::isUseful).findFirst();
    if (splitting.isEmpty() || code.dimension() > MOST_BITS) {
      return plain(code, true);
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
    MessageSpace space = new MessageSpace(code.length(), basis, blocks, List.of(), isHalf);
    List<long[]> maps = new ArrayList<>();
    Coordinates coordinates = Coordinates.of(basis);
    automorphisms.forEach(each -> space.map(each, coordinates).ifPresent(maps::add));
    return new MessageSpace(code.length(), basis, blocks, maps, isHalf);
  }

  private static boolean isUseful(Permutation permutation) {
    int order = permutation.orderUpTo(MOST_ORDER);
    return order > 1 && order <= MOST_ORDER && order % 2 == 1;
  }

  private static List<long[]> rows(BinaryCode code) {
    List<long[]> rows = new ArrayList<>();
    for (int row = 0; row < code.dimension(); row++) {
      rows.add(code.generator().row(row));
    }
    return rows;
  }

  /** Makes a basis one of a complement of the word of all ones, if that is in its span. */
  private static boolean removeAllOnes(List<long[]> basis, int length) {
    Optional<BitSet> rows = Coordinates.of(basis).of(BinaryCode.allOnes(length));
    rows.ifPresent(sum -> basis.remove(sum.nextSetBit(0)));
    return rows.isPresent();
  }

  /** Bases of the images of the code under each primitive idempotent of the permutation. */
  private static List<List<long[]>> components(BinaryCode code, Permutation permutation) {
    int order = permutation.orderUpTo(MOST_ORDER);
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
        if (Coordinates.of(component).of(image).isEmpty()) {
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

  /** What a permutation does to messages; empty if a block does not stay what it is. */
  private Optional<long[]> map(Permutation permutation, Coordinates coordinates) {
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

  /** Bits of a message. */
  int dimension() {
    return basis.size();
  }

  /** The same with blocks in another order. */
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
    List<long[]> newMaps = new ArrayList<>();
    for (long[] map : maps) {
      long[] newMap = new long[map.length];
      for (int bit = 0; bit < map.length; bit++) {
        newMap[newPlace[bit]] = permuted(map[bit], newPlace);
      }
      newMaps.add(newMap);
    }
    return new MessageSpace(
        length, newBasis, order.stream().map(blocks::get).toList(), newMaps, isHalf);
  }

  private static long permuted(long bits, int[] newPlace) {
    long permuted = 0;
    for (long rest = bits; rest != 0; rest &= rest - 1) {
      permuted |= 1L << newPlace[Long.numberOfTrailingZeros(rest)];
    }
    return permuted;
  }

  /** All symmetries, the identity first; the identity alone if there are too many. */
  List<long[]> group() {
    long[] identity = new long[dimension()];
    for (int bit = 0; bit < identity.length; bit++) {
      identity[bit] = 1L << bit;
    }
    List<long[]> group = new ArrayList<>(List.of(identity));
    Set<List<Long>> seen = new HashSet<>();
    seen.add(boxed(identity));
    for (int next = 0; next < group.size(); next++) {
      for (long[] generator : maps) {
        long[] product = new long[identity.length];
        for (int bit = 0; bit < product.length; bit++) {
          product[bit] = image(generator, group.get(next)[bit]);
        }
        if (seen.add(boxed(product))) {
          group.add(product);
        }
      }
      if (group.size() > MOST_SYMMETRIES) {
        return List.of(identity);
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

  private static List<Long> boxed(long[] map) {
    return Arrays.stream(map).boxed().toList();
  }
}
