package io.fieldstone.engine;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * What every engine checks of the shapes it is given before it writes anything. Each method throws
 * {@link IllegalArgumentException} if they do not agree, and {@link IndexOutOfBoundsException} if
 * there are not so many resident matrices or blocks.
 */
public final class Agreement {

  private Agreement() {}

  /** Coefficients and sources whose products have this shape. */
  public static void requireProduct(
      Coefficients coefficients, ByteMatrices sources, ByteMatrices products) {
    if (sources.count() != coefficients.count()
        || sources.rows() != coefficients.columns()
        || sources.columns() != products.columns()
        || !isOneRowEach(coefficients, products)) {
      throw new IllegalArgumentException(
          "%s coefficients times %s sources do not make %s products"
              .formatted(coefficients.shape(), sources.shape(), products.shape()));
    }
  }

  /** Square matrices, and room for as many inverses. */
  public static void requireInversion(ByteMatrices matrices, ByteMatrices inverses) {
    if (matrices.rows() != matrices.columns()
        || inverses.columns() != matrices.columns()
        || !isOneRowEach(matrices, inverses)) {
      throw new IllegalArgumentException(
          "%s matrices do not have %s inverses".formatted(matrices.shape(), inverses.shape()));
    }
  }

  /** Coefficients for the first rows of the matrices from {@code first} on. */
  public static void requireSources(ResidentBlocks blocks, long first, Coefficients coefficients) {
    Objects.checkFromIndexSize(first, coefficients.count(), blocks.count());
    if (coefficients.columns() > blocks.rows()) {
      throw new IllegalArgumentException(
          "coefficients for %d blocks, %d are resident"
              .formatted(coefficients.columns(), blocks.rows()));
    }
  }

  /** As many equations as unknowns. */
  public static void requireSquare(Coefficients coefficients) {
    if (coefficients.rows() != coefficients.columns()) {
      throw new IllegalArgumentException(
          "a system of %s coefficients is not square".formatted(coefficients.shape()));
    }
  }

  /** Square systems in memory, whose right sides have something in them, and their solutions. */
  public static void requireSystems(
      Coefficients coefficients, ByteMatrices rights, ByteMatrices solutions) {
    requireSquare(coefficients);
    if (rights.count() != coefficients.count()
        || rights.rows() != coefficients.rows()
        || rights.columns() < 1
        || solutions.columns() != rights.columns()
        || !isOneRowEach(coefficients, solutions)) {
      throw new IllegalArgumentException(
          "%s coefficients and %s right sides do not give %s solutions"
              .formatted(coefficients.shape(), rights.shape(), solutions.shape()));
    }
  }

  /** Results in memory, one row for each row of coefficients. */
  public static void requireResults(
      ResidentBlocks blocks, Coefficients coefficients, ByteMatrices results) {
    if (results.columns() != blocks.columns() || !isOneRowEach(coefficients, results)) {
      throw new IllegalArgumentException(
          "%s coefficients times blocks of %d bytes do not make %s"
              .formatted(coefficients.shape(), blocks.columns(), results.shape()));
    }
  }

  /** Results that stay on the engine, in the matrices from {@code firstResult} on. */
  public static void requireResults(
      ResidentBlocks blocks,
      long first,
      Coefficients coefficients,
      ResidentBlocks results,
      long firstResult) {
    long count = coefficients.count();
    if (!results.field().equals(blocks.field())) {
      throw new IllegalArgumentException(
          "products over %s of blocks over %s".formatted(results.field(), blocks.field()));
    }
    Objects.checkFromIndexSize(firstResult, count, results.count());
    if (results.columns() != blocks.columns() || results.rows() != coefficients.rows()) {
      throw new IllegalArgumentException(
          "%s coefficients times blocks of %d bytes do not make resident %d×%d"
              .formatted(
                  coefficients.shape(), blocks.columns(), results.rows(), results.columns()));
    }
    if (results.equals(blocks) && count > 0 && Math.abs(first - firstResult) < count) {
      throw new IllegalArgumentException(
          "matrices %d…%d are to be both sources and products"
              .formatted(Math.max(first, firstResult), Math.min(first, firstResult) + count - 1));
    }
  }

  private static boolean isOneRowEach(Coefficients coefficients, ByteMatrices results) {
    return results.count() == coefficients.count() && results.rows() == coefficients.rows();
  }

  /** A payload of a progressive system. */
  public static void requirePayload(ProgressiveElimination system, MemorySegment payload) {
    if (payload.byteSize() != system.blockSize()) {
      throw new IllegalArgumentException(
          "a payload of %d bytes where blocks have %d"
              .formatted(payload.byteSize(), system.blockSize()));
    }
  }

  /**
   * Source blocks {@code first} … that a progressive system has solved, and room for them.
   *
   * @throws IllegalStateException if one of them is not solved yet
   */
  public static void requireSolved(
      ProgressiveElimination system, int first, ByteMatrices destination) {
    if (destination.count() != 1 || destination.columns() != system.blockSize()) {
      throw new IllegalArgumentException(
          "%d matrices of rows of %d bytes where one of %d is wanted"
              .formatted(destination.count(), destination.columns(), system.blockSize()));
    }
    Objects.checkFromIndexSize(first, destination.rows(), system.blocks());
    for (int source = first; source < first + destination.rows(); source++) {
      if (!system.isSolved(source)) {
        throw new IllegalStateException("source block " + source + " is not solved yet");
      }
    }
  }

  /** A basis, offsets and multiplicities of cosets, and room for their weights. */
  public static void requireCosets(
      BinaryWords basis, BinaryWords offsets, long[] multiplicities, long[] counts) {
    if (offsets.length() != basis.length()
        || offsets.count() != multiplicities.length
        || counts.length != basis.length() + 1) {
      throw new IllegalArgumentException(
          "%d offsets of %d bits, %d multiplicities and %d counts for words of %d bits"
              .formatted(
                  offsets.count(),
                  offsets.length(),
                  multiplicities.length,
                  counts.length,
                  basis.length()));
    }
    if (basis.count() > WeightCounts.MOST_ROWS) {
      throw new IllegalArgumentException(
          "a basis of %d words, more than %d".formatted(basis.count(), WeightCounts.MOST_ROWS));
    }
  }

  /** Words whose pairs are counted, by one of an engine's methods. */
  public static void requirePairs(
      PairCounts port, WordGroups left, WordGroups right, String method) {
    if (left.words().length() != right.words().length()) {
      throw new IllegalArgumentException(
          "pairs of words of %d and %d bits"
              .formatted(left.words().length(), right.words().length()));
    }
    if (!port.methods().contains(method)) {
      throw new IllegalArgumentException(
          "no method '%s' to count pairs; there are %s"
              .formatted(method, String.join(", ", port.methods())));
    }
  }

  /** A rectangle of pairs, and a table for them. */
  public static void requireRectangle(
      WordGroups left,
      WordGroups right,
      long firstLeft,
      long countLeft,
      long firstRight,
      long countRight,
      PairTable table) {
    Objects.checkFromIndexSize(firstLeft, countLeft, left.words().count());
    Objects.checkFromIndexSize(firstRight, countRight, right.words().count());
    if (table.leftGroups() != left.groups().size()
        || table.rightGroups() != right.groups().size()
        || table.length() != left.words().length()) {
      throw new IllegalArgumentException(
          "%s for %d×%d groups of words of %d bits"
              .formatted(
                  table, left.groups().size(), right.groups().size(), left.words().length()));
    }
  }

  /** Slices of a transform, and room for their sums. */
  public static void requireSlices(
      TransformSlices transform, int first, int count, TripleSums sums) {
    Objects.checkFromIndexSize(first, count, transform.slices().size());
    if (sums.order() != transform.weights().size()) {
      throw new IllegalArgumentException(
          "sums of order %d for %d weights".formatted(sums.order(), transform.weights().size()));
    }
  }

  /** A register of a division. */
  public static void requireRegister(Divisor divisor, long register) {
    if (!divisor.modulus().isRemainder(register)) {
      throw new IllegalArgumentException(
          "register 0x%X has more than %d bits".formatted(register, divisor.degree()));
    }
  }

  /** Messages within so many bytes, and room for the register of each. */
  public static void requireMessages(Extents messages, long bytes, MemorySegment registers) {
    messages.requireWithin(bytes);
    if (registers.byteSize() / Long.BYTES != messages.count()
        || registers.byteSize() % Long.BYTES != 0) {
      throw new IllegalArgumentException(
          "%d bytes are not room for the registers of %d messages"
              .formatted(registers.byteSize(), messages.count()));
    }
    if (registers.isReadOnly()) {
      throw new IllegalArgumentException("the registers' memory is read-only");
    }
  }

  /**
   * Whole records.
   *
   * @return how many
   */
  public static long requireRecords(RecordFormat format, long bytes) {
    if (bytes % format.bytes() != 0) {
      throw new IllegalArgumentException(
          "%d bytes are not records of %d (%s)".formatted(bytes, format.bytes(), format));
    }
    return bytes / format.bytes();
  }

  /** Whole records, and room for as many elsewhere. */
  public static long requireRecords(
      RecordFormat format, MemorySegment records, MemorySegment sorted) {
    long count = requireRecords(format, records.byteSize());
    if (sorted.byteSize() != records.byteSize()) {
      throw new IllegalArgumentException(
          "%d bytes are not room for %d bytes of records"
              .formatted(sorted.byteSize(), records.byteSize()));
    }
    requireWritable("the sorted records", sorted);
    requireApart(records, sorted);
    return count;
  }

  /**
   * Room for the order of so many records.
   *
   * @return bytes of an index: 4 or 8
   */
  public static int requireOrder(long count, long bytes) {
    boolean isShort = bytes == count * Integer.BYTES && count <= 1L << Integer.SIZE;
    if (!isShort && bytes != count * Long.BYTES) {
      throw new IllegalArgumentException(
          "%d bytes are not room for the order of %d records, indices of 4 or 8 bytes each"
              .formatted(bytes, count));
    }
    return isShort ? Integer.BYTES : Long.BYTES;
  }

  /** Whole records, and room for their order elsewhere. */
  public static int requireOrder(RecordFormat format, MemorySegment records, MemorySegment order) {
    int indexBytes = requireOrder(requireRecords(format, records.byteSize()), order.byteSize());
    requireWritable("the order", order);
    requireApart(records, order);
    return indexBytes;
  }

  /**
   * What memory itself would check, and whoever works on addresses or from other threads does not.
   *
   * @throws IllegalStateException if it has been freed
   * @throws WrongThreadException if it is confined to another thread
   */
  public static void requireUsable(MemorySegment memory) {
    if (!memory.scope().isAlive()) {
      throw new IllegalStateException("the memory has been freed");
    }
    if (!memory.isAccessibleBy(Thread.currentThread())) {
      throw new WrongThreadException("the memory is confined to another thread");
    }
  }

  /** Memory that may be written; {@code what} is to be written there. */
  public static void requireWritable(String what, MemorySegment memory) {
    if (memory.isReadOnly()) {
      throw new IllegalArgumentException("the memory for " + what + " is read-only");
    }
  }

  private static void requireApart(MemorySegment records, MemorySegment results) {
    records
        .asOverlappingSlice(results)
        .ifPresent(common -> {
          throw new IllegalArgumentException(
              "records and results have %d bytes in common".formatted(common.byteSize()));
        });
  }

  /** Points of a field. */
  public static void requirePoints(StarField field, int first, int points) {
    Objects.checkFromIndexSize(first, points, field.points());
  }
}
