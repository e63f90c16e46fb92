package io.fieldstone.rlnc.file;

import java.util.ArrayList;
import java.util.List;

/**
 * The source blocks that a partial decoding could not restore. The decoded file has zeros in their
 * place.
 *
 * @param blocks the missing source blocks
 * @param bytes their bytes of the file
 * @param unverified the restored source blocks that no hash verifies: those of generations that
 *     miss others, or all of them if no shard has the hashes of the generations
 * @param ranges the missing bytes, ascending; neighbouring blocks are one range
 */
public record MissingBlocks(long blocks, long bytes, long unverified, List<Range> ranges) {

  /** Nothing is missing. */
  static final MissingBlocks NONE = new MissingBlocks(0, 0, 0, List.of());

  /** Bytes {@code from} … {@code to − 1} of the file. */
  public record Range(long from, long to) {}

  public MissingBlocks {
    ranges = List.copyOf(ranges);
  }

  /** Returns true if every block was restored. */
  public boolean isEmpty() {
    return blocks == 0;
  }

  /**
   * Returns the bytes before the first missing one: those that can be delivered in order.
   *
   * @param length the bytes of the file
   */
  public long deliverable(long length) {
    return ranges.isEmpty() ? length : ranges.getFirst().from();
  }

  /** Collects the blocks of a file in ascending order. For one thread. */
  static final class Builder {
    private final List<Range> ranges = new ArrayList<>();
    private long blocks;
    private long unverified;

    /** Adds missing blocks, which have bytes {@code from} … {@code to − 1}. */
    void addMissing(long count, long from, long to) {
      blocks += count;
      if (!ranges.isEmpty() && ranges.getLast().to() == from) {
        ranges.set(ranges.size() - 1, new Range(ranges.getLast().from(), to));
      } else {
        ranges.add(new Range(from, to));
      }
    }

    /** Adds restored blocks that no hash verifies. */
    void addUnverified(long count) {
      unverified += count;
    }

    MissingBlocks build() {
      long bytes = ranges.stream().mapToLong(range -> range.to() - range.from()).sum();
      return new MissingBlocks(blocks, bytes, unverified, ranges);
    }
  }
}
