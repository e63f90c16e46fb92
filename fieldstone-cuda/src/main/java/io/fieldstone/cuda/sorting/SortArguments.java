package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.execution.KernelArguments;

/**
 * The parameters of the kernels in {@code sort.cu}: a record for each struct, with the members in
 * the order of their declaration.
 */
final class SortArguments {

  private SortArguments() {}

  /**
   * A {@code struct SortCountArguments}: adds the histograms of all digits.
   *
   * @param flip XORed to keys to order their bits
   * @param words of an item
   */
  record Count(long items, long histogram, long count, long flip, int words) {
    void write(KernelArguments struct) {
      struct.int64(items).int64(histogram).int64(count).int64(flip).int32(words);
    }
  }

  /**
   * A {@code struct SortPlanArguments}: computes bin offsets and a plan from histograms.
   *
   * @param digits of a key
   */
  record Plan(long histogram, long binOffsets, long plan, long count, int digits) {
    void write(KernelArguments struct) {
      struct.int64(histogram).int64(binOffsets).int64(plan).int64(count).int32(digits);
    }
  }

  /**
   * A {@code struct SortPassArguments}: moves a portion of the items by a digit.
   *
   * @param plan says which buffer has the items; 0 for the current one
   * @param binOffsets of the digit
   * @param first item of the portion
   * @param count of the items of the portion
   * @param portion its number
   */
  record Pass(
      DoubleBuffer items,
      long plan,
      long binOffsets,
      long lookback,
      long first,
      long count,
      long flip,
      int digit,
      int portion) {
    void write(KernelArguments struct) {
      struct
          .int64(items.current())
          .int64(items.alternate())
          .int64(plan)
          .int64(binOffsets)
          .int64(lookback)
          .int64(first)
          .int64(count)
          .int64(flip)
          .int32(digit)
          .int32(portion);
    }
  }

  /**
   * A {@code struct SortTakeArguments}: makes items of records.
   *
   * @param first index of the first record
   * @param copiedWords of each record
   * @param indexWords of the index that follows them
   */
  record Take(
      long records,
      long items,
      long count,
      long first,
      long recordBytes,
      int copiedWords,
      int indexWords) {
    void write(KernelArguments struct) {
      struct
          .int64(records)
          .int64(items)
          .int64(count)
          .int64(first)
          .int64(recordBytes)
          .int32(copiedWords)
          .int32(indexWords);
    }
  }

  /**
   * A {@code struct SortGiveArguments}: writes items, their indices, or the records of these.
   *
   * @param records that are gathered, or 0
   * @param bytes written for each item
   * @param words of an item
   * @param indexWords of its index
   */
  record Give(
      DoubleBuffer items,
      long plan,
      long records,
      long to,
      long count,
      long bytes,
      int words,
      int indexWords) {
    void write(KernelArguments struct) {
      struct
          .int64(items.current())
          .int64(items.alternate())
          .int64(plan)
          .int64(records)
          .int64(to)
          .int64(count)
          .int64(bytes)
          .int32(words)
          .int32(indexWords);
    }
  }

  /**
   * A {@code struct SortSegmentsArguments}: adds the histograms of parts and makes segments.
   *
   * @param parts their number
   * @param digits of a key
   * @param digit by which the parts were partitioned
   */
  record Segments(
      long histograms,
      long total,
      long segments,
      long plan,
      long tileItems,
      int parts,
      int digits,
      int digit) {
    void write(KernelArguments struct) {
      struct
          .int64(histograms)
          .int64(total)
          .int64(segments)
          .int64(plan)
          .int64(tileItems)
          .int32(parts)
          .int32(digits)
          .int32(digit);
    }
  }

  /**
   * A {@code struct SortCollectArguments}: gathers the items of some bins from all parts.
   *
   * @param binOffsets of the digit, in the first part
   * @param partOffsets the index of the first item of each part, and the number of all items
   * @param segments table entry of the first bin
   * @param stride distance between the bin offsets of successive parts, in numbers
   * @param digits number of lower digits, which is the number of the partitioned one
   */
  record Collect(
      long items,
      long to,
      long binOffsets,
      long partOffsets,
      long segments,
      long histograms,
      long stride,
      long flip,
      int parts,
      int firstBin,
      int bins,
      int digits) {
    void write(KernelArguments struct) {
      struct
          .int64(items)
          .int64(to)
          .int64(binOffsets)
          .int64(partOffsets)
          .int64(segments)
          .int64(histograms)
          .int64(stride)
          .int64(flip)
          .int32(parts)
          .int32(firstBin)
          .int32(bins)
          .int32(digits);
    }
  }

  /**
   * A {@code struct SortSegmentPassArguments}: moves the items of segments by a digit.
   *
   * @param segments table entry of the first segment
   * @param histogram of the digit, in the first segment
   * @param stride distance between the histograms of successive segments, in counters
   * @param count of the segments
   */
  record SegmentPass(
      DoubleBuffer items,
      long segments,
      long histogram,
      long lookback,
      long stride,
      long flip,
      int count,
      int digit) {
    void write(KernelArguments struct) {
      struct
          .int64(items.current())
          .int64(items.alternate())
          .int64(segments)
          .int64(histogram)
          .int64(lookback)
          .int64(stride)
          .int64(flip)
          .int32(count)
          .int32(digit);
    }
  }

  /**
   * A {@code struct SortPackArguments}: compresses sorted keys.
   *
   * @param rows compressed keys, without gaps
   * @param directory first row and difference width of each block
   * @param counters of rows and of blocks: 16 bytes of zeros
   * @param rowCount address in pinned memory that receives the number of rows, a {@code long}
   * @param floating 1 for floating-point keys, else 0
   * @param skippedKeys unused places at the start of the first block
   */
  record Pack(
      DoubleBuffer items,
      long plan,
      long rows,
      long directory,
      long counters,
      long rowCount,
      long count,
      long flip,
      int floating,
      int skippedKeys) {
    void write(KernelArguments struct) {
      struct
          .int64(items.current())
          .int64(items.alternate())
          .int64(plan)
          .int64(rows)
          .int64(directory)
          .int64(counters)
          .int64(rowCount)
          .int64(count)
          .int64(flip)
          .int32(floating)
          .int32(skippedKeys);
    }
  }
}
