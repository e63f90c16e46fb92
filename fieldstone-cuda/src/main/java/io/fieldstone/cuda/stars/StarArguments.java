package io.fieldstone.cuda.stars;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cuda.execution.KernelArguments;
import java.lang.foreign.MemorySegment;

/**
 * The structs of {@code stars.cu} that the host reads or writes: a record for each, with the
 * members in the order of their declaration.
 */
final class StarArguments {

  private StarArguments() {}

  /**
   * A {@code struct StarField}: the points of a field and the bounds of candidates.
   *
   * @param error relative error of a squared distance
   * @param scale exponent of the power of 2 that scales the range to 1 … 2
   */
  record Field(long xs, long ys, long cells, double range, double error, int cellCount, int scale) {
    void write(KernelArguments struct) {
      struct
          .int64(xs)
          .int64(ys)
          .int64(cells)
          .float64(range)
          .float64(error)
          .int32(cellCount)
          .int32(scale);
    }
  }

  /** A {@code struct StarCountArguments}: counts the candidates of points. */
  record Count(Field field, long counts, int first, int points) {
    void write(KernelArguments struct) {
      field.write(struct);
      struct.int64(counts).int32(first).int32(points);
    }
  }

  /**
   * A {@code struct StarListArguments}: lists the candidates of a piece.
   *
   * @param places address of a {@link Place} for each point
   */
  record Candidates(
      Field field,
      long places,
      long indices,
      long corners,
      long slopes,
      long units,
      int first,
      int points) {
    void write(KernelArguments struct) {
      field.write(struct);
      struct
          .int64(places)
          .int64(indices)
          .int64(corners)
          .int64(slopes)
          .int64(units)
          .int32(first)
          .int32(points);
    }
  }

  /**
   * A {@code struct StarPairArguments}: tests the pairs of a piece.
   *
   * @param places address of a {@link Place} for each point
   * @param words address of the bits, or 0 to count only
   * @param undecided address of the {@link Undecided} pairs
   * @param capacity maximum number of listed undecided pairs
   * @param circleError error bound of the circle test
   * @param distanceError error bound of squared distances
   */
  record Pairs(
      Field field,
      long places,
      long indices,
      long corners,
      long slopes,
      long units,
      long words,
      long stars,
      long undecided,
      long undecidedCount,
      long unitCount,
      int capacity,
      int first,
      float circleError,
      float distanceError) {
    void write(KernelArguments struct) {
      field.write(struct);
      struct
          .int64(places)
          .int64(indices)
          .int64(corners)
          .int64(slopes)
          .int64(units)
          .int64(words)
          .int64(stars)
          .int64(undecided)
          .int64(undecidedCount)
          .int64(unitCount)
          .int32(capacity)
          .int32(first)
          .float32(circleError)
          .float32(distanceError);
    }
  }

  /**
   * A {@code struct StarPlace}: the data of a point in a piece.
   *
   * @param list index of its first candidate
   * @param words index of its first word of bits
   * @param units index of its first unit
   * @param count of its candidates
   */
  record Place(long list, long words, int units, int count) {

    /** Size of the struct. */
    static final long BYTES = 2 * Long.BYTES + 2 * Integer.BYTES;

    void write(MemorySegment struct) {
      struct.set(JAVA_LONG, 0, list);
      struct.set(JAVA_LONG, Long.BYTES, words);
      struct.set(JAVA_INT, 2 * Long.BYTES, units);
      struct.set(JAVA_INT, 2 * Long.BYTES + Integer.BYTES, count);
    }

    /** Reads the index of the first word. */
    static long words(MemorySegment struct) {
      return struct.get(JAVA_LONG, Long.BYTES);
    }
  }

  /**
   * A {@code struct StarUnit}: the work of a warp.
   *
   * @param point relative to the first of the piece
   * @param rows index of a range of {@link StarPiece#UNIT_ROWS} rows of pairs
   */
  record Unit(int point, int rows) {

    /** Size of the struct. */
    static final long BYTES = 2 * Integer.BYTES;
  }

  /**
   * A {@code struct StarDoubt}: a pair that the host decides, at bit {@code a} of row {@code b}.
   *
   * @param point its lowest point, relative to the first of the piece
   * @param j index of candidate a
   * @param k index of candidate b
   */
  record Undecided(int point, int a, int b, int j, int k) {

    /** Size of the struct. */
    static final long BYTES = 5 * Integer.BYTES;

    static Undecided read(MemorySegment struct) {
      return new Undecided(
          struct.getAtIndex(JAVA_INT, 0),
          struct.getAtIndex(JAVA_INT, 1),
          struct.getAtIndex(JAVA_INT, 2),
          struct.getAtIndex(JAVA_INT, 3),
          struct.getAtIndex(JAVA_INT, 4));
    }
  }
}
