package io.fieldstone.field;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Orbits of vectors over GF(2) under a group of linear maps. A vector of up to 30 bits is an {@code
 * int}; a map is the list of images of the unit vectors. Thread-safe.
 */
public final class Gf2Orbits {

  private static final int MAX_BITS = 30;
  private static final int TABLE_BITS = 8;

  private final int bits;

  /** For each map and each 8 bits of a vector, the image of every value they can have. */
  private final int[][][] tables;

  /** Takes one orbit: any of its vectors, the least, and how many it has. */
  public interface Visitor {
    /** Takes an orbit. */
    void visit(int vector, int size);
  }

  /**
   * The orbits of the group that some maps generate.
   *
   * @param bits of a vector, 0 … 30
   * @param generators invertible maps, each {@code bits} images
   * @throws IllegalArgumentException if the number of bits is out of range, or of images wrong
   */
  public Gf2Orbits(int bits, List<List<Integer>> generators) {
    if (bits < 0 || bits > MAX_BITS) {
      throw new IllegalArgumentException("vectors of %d bits, not 0…%d".formatted(bits, MAX_BITS));
    }
    this.bits = bits;
    this.tables = new int[generators.size()][][];
    for (int map = 0; map < tables.length; map++) {
      if (generators.get(map).size() != bits) {
        throw new IllegalArgumentException(
            "a map of %d images for vectors of %d bits"
                .formatted(generators.get(map).size(), bits));
      }
      tables[map] = tables(generators.get(map));
    }
  }

  private static int[][] tables(List<Integer> images) {
    int[][] tables = new int[Math.ceilDiv(images.size(), TABLE_BITS)][1 << TABLE_BITS];
    for (int table = 0; table < tables.length; table++) {
      int first = table * TABLE_BITS;
      for (int value = 1; value < 1 << Math.min(TABLE_BITS, images.size() - first); value++) {
        int lowest = Integer.numberOfTrailingZeros(value);
        tables[table][value] = tables[table][value & (value - 1)] ^ images.get(first + lowest);
      }
    }
    return tables;
  }

  /** Visits all orbits, by their least vector ascending. Takes 2^bits bits of memory. */
  public void forEach(Visitor visitor) {
    BitSet seen = new BitSet(1 << bits);
    int[] orbit = new int[1];
    for (int vector = 0; vector < 1 << bits; vector++) {
      if (!seen.get(vector)) {
        seen.set(vector);
        orbit[0] = vector;
        int size = 1;
        for (int next = 0; next < size; next++) {
          for (int[][] map : tables) {
            int image = image(map, orbit[next]);
            if (!seen.get(image)) {
              seen.set(image);
              if (size == orbit.length) {
                orbit = Arrays.copyOf(orbit, 2 * size);
              }
              orbit[size++] = image;
            }
          }
        }
        visitor.visit(vector, size);
      }
    }
  }

  private static int image(int[][] map, int vector) {
    int image = 0;
    for (int table = 0; table < map.length; table++) {
      image ^= map[table][vector >>> table * TABLE_BITS & (1 << TABLE_BITS) - 1];
    }
    return image;
  }
}
