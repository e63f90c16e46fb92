package io.fieldstone.rlnc.backup;

import java.util.List;

/**
 * The damage of a file or of a volume.
 *
 * @param name the path of a file in the set, or the name of a volume
 * @param isMissing whether there is no file
 * @param length the bytes that it must have
 * @param found the bytes that it has; 0 if it is missing
 * @param blocks the blocks that it must have
 * @param lost the blocks that are missing or damaged
 * @param unrestorable the lost blocks in generations that have lost too many
 * @param damagedPages the damaged pages of the manifest; 0 in a file
 * @param ranges the bytes of the lost blocks, in ascending order; at most {@value #MAX_RANGES}
 * @param foundAs the name under which a renamed file was found; empty if it has its own
 * @param problem a reason why it cannot be read; empty if there is none
 */
public record Damage(
    String name,
    boolean isMissing,
    long length,
    long found,
    int blocks,
    int lost,
    int unrestorable,
    int damagedPages,
    List<Range> ranges,
    String foundAs,
    String problem) {

  /** The maximum number of ranges. */
  public static final int MAX_RANGES = 4;

  /** Bytes {@code from} … {@code to − 1}. */
  public record Range(long from, long to) {}

  public Damage {
    ranges = List.copyOf(ranges);
  }
}
