package io.fieldstone.engine.stars;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * A batch of stars, in the representation that the search produces. Integers have native byte
 * order.
 */
public sealed interface StarBatch {

  /** Returns the number of stars. */
  long stars();

  /** Returns the bytes of the representation. */
  long byteSize();

  /** Passes each star to a visitor. */
  void forEach(StarVisitor visitor);

  /**
   * One bit for each pair of candidates of a point. This is the smallest representation if many
   * pairs are stars, such as 27% in the paper's benchmark.
   *
   * <p>Candidates are numbered from 0 for each point. Row b, for b = 1 … m − 1, has a bit for each
   * candidate a &lt; b, in ⌈b / 32⌉ ints: bit a mod 32 of int a div 32. Further bits are 0. Rows
   * are contiguous, and so are points.
   *
   * @param first the lowest point of the first stars
   * @param counts the number of candidates of each point, from {@code first} on
   * @param candidates the candidates of these points, ascending for each
   * @param bits the bits of these points
   */
  record PairBits(int first, MemorySegment counts, MemorySegment candidates, MemorySegment bits)
      implements StarBatch {

    /** The bits of an int. */
    public static final int WORD_BITS = Integer.SIZE;

    /** Returns the number of points. */
    public int points() {
      return Math.toIntExact(counts.byteSize() / Integer.BYTES);
    }

    /** Returns the number of candidates of point {@code index} of this batch. */
    public int candidates(int index) {
      return get(counts, index);
    }

    /** Returns the ints of row {@code b}, which has a bit for each earlier candidate. */
    public static int rowWords(int b) {
      return (b + WORD_BITS - 1) / WORD_BITS;
    }

    /** Returns the ints of all rows of a point with {@code candidates} candidates. */
    public static long words(int candidates) {
      long last = Math.max(0, candidates - 1);
      long full = last / WORD_BITS;
      return WORD_BITS * full * (full + 1) / 2 + last % WORD_BITS * (full + 1);
    }

    @Override
    public long stars() {
      long stars = 0;
      for (long word = 0; word < bits.byteSize() / Integer.BYTES; word++) {
        stars += Integer.bitCount(get(bits, word));
      }
      return stars;
    }

    @Override
    public long byteSize() {
      return counts.byteSize() + candidates.byteSize() + bits.byteSize();
    }

    @Override
    public void forEach(StarVisitor visitor) {
      long list = 0;
      long word = 0;
      for (int index = 0; index < points(); index++) {
        int count = candidates(index);
        for (int b = 1; b < count; b++) {
          int end = rowWords(b);
          for (int i = 0; i < end; i++) {
            for (int left = get(bits, word + i); left != 0; left &= left - 1) {
              long a = (long) i * WORD_BITS + Integer.numberOfTrailingZeros(left);
              visitor.star(first + index, get(candidates, list + a), get(candidates, list + b));
            }
          }
          word += end;
        }
        list += count;
      }
    }

    private static int get(MemorySegment ints, long index) {
      return ints.get(JAVA_INT_UNALIGNED, index * Integer.BYTES);
    }
  }

  /**
   * Three indices for each star: the lowest point, then the others ascending. This is the paper's
   * uncompressed output.
   *
   * @param indices three for each star
   */
  record Triples(MemorySegment indices) implements StarBatch {

    /** The bytes of a star. */
    public static final int BYTES = 3 * Integer.BYTES;

    @Override
    public long stars() {
      return indices.byteSize() / BYTES;
    }

    @Override
    public long byteSize() {
      return indices.byteSize();
    }

    @Override
    public void forEach(StarVisitor visitor) {
      for (long at = 0; at < indices.byteSize(); at += BYTES) {
        visitor.star(
            indices.get(JAVA_INT_UNALIGNED, at),
            indices.get(JAVA_INT_UNALIGNED, at + Integer.BYTES),
            indices.get(JAVA_INT_UNALIGNED, at + 2 * Integer.BYTES));
      }
    }
  }

  /**
   * Local numbers, the paper's compression (III-C, Figure 7). The points of a cell are divided into
   * segments of {@value #SEGMENT_POINTS}. A chunk of up to {@value #CHUNK_STARS} stars names three
   * segments once, so that a star takes three bytes.
   *
   * <p>A chunk has {@value #CHUNK_BYTES} bytes. Four ints give the first points of the three
   * segments and the number of stars. For each star follow the numbers of its points in the
   * segments, in any order of height.
   *
   * @param field the field that contains the points
   * @param chunks contiguous chunks
   */
  record LocalIds(StarField field, MemorySegment chunks) implements StarBatch {

    /** The points of a segment. */
    public static final int SEGMENT_POINTS = 256;

    /** The maximum number of stars in a chunk. */
    public static final int CHUNK_STARS = 256;

    /** The points of a star, which are also its bytes and the segments in a header. */
    private static final int CORNERS = 3;

    private static final int COUNT_OFFSET = CORNERS * Integer.BYTES;
    private static final int HEADER_BYTES = COUNT_OFFSET + Integer.BYTES;

    /** The bytes of a chunk. */
    public static final int CHUNK_BYTES = HEADER_BYTES + CORNERS * CHUNK_STARS;

    @Override
    public long stars() {
      long stars = 0;
      for (long chunk = 0; chunk < chunks.byteSize(); chunk += CHUNK_BYTES) {
        stars += chunks.get(JAVA_INT_UNALIGNED, chunk + COUNT_OFFSET);
      }
      return stars;
    }

    @Override
    public long byteSize() {
      return chunks.byteSize();
    }

    @Override
    public void forEach(StarVisitor visitor) {
      for (long chunk = 0; chunk < chunks.byteSize(); chunk += CHUNK_BYTES) {
        int p = chunks.get(JAVA_INT_UNALIGNED, chunk);
        int q = chunks.get(JAVA_INT_UNALIGNED, chunk + Integer.BYTES);
        int r = chunks.get(JAVA_INT_UNALIGNED, chunk + 2 * Integer.BYTES);
        int count = chunks.get(JAVA_INT_UNALIGNED, chunk + COUNT_OFFSET);
        long at = chunk + HEADER_BYTES;
        for (int i = 0; i < count; i++) {
          visit(visitor, p + local(at), q + local(at + 1), r + local(at + 2));
          at += CORNERS;
        }
      }
    }

    private int local(long at) {
      return Byte.toUnsignedInt(chunks.get(JAVA_BYTE, at));
    }

    private void visit(StarVisitor visitor, int p, int q, int r) {
      int lowest = field.lower(field.lower(p, q), r);
      int second = lowest == p ? q : p;
      int third = lowest == r ? q : r;
      visitor.star(lowest, Math.min(second, third), Math.max(second, third));
    }
  }
}
