package io.fieldstone.rlnc.backup;

import java.util.List;
import java.util.OptionalLong;

/**
 * The damage of a file or of a volume.
 *
 * @param name the path of a file in the set, or the name of a volume
 * @param isMissing whether there is no file
 * @param length the bytes that it must have
 * @param found the bytes that it has; 0 if it is missing
 * @param blocks the blocks that it must have
 * @param lost the blocks that are missing or damaged, and were found nowhere
 * @param unrestorable the lost blocks in generations that have lost too many
 * @param moved the blocks that were found at other places; not lost; 0 in a volume
 * @param damagedPages the damaged pages of the manifest; 0 in a file
 * @param ranges the bytes of the lost blocks, in ascending order; at most {@value #MAX_RANGES}
 * @param shifts the bytes of moved blocks, in ascending order; at most {@value #MAX_RANGES} ranges
 * @param foundAs the name under which a renamed file was found; empty if it has its own
 * @param unreadable the first byte that cannot be read, of a disk with a bad sector; its block is
 *     lost
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
    int moved,
    int damagedPages,
    List<Range> ranges,
    List<Shift> shifts,
    String foundAs,
    OptionalLong unreadable,
    String problem) {

  /** The maximum number of ranges, and of shifts. */
  public static final int MAX_RANGES = 4;

  /** Bytes {@code from} … {@code to − 1}. */
  public record Range(long from, long to) {}

  /**
   * Bytes {@code from} … {@code to − 1}, which were found at another place.
   *
   * @param by the difference of the places: positive if bytes before them were inserted
   * @param in the path of the file in which they were found; empty if they were shifted within
   *     their own
   */
  public record Shift(long from, long to, long by, String in) {}

  public Damage {
    ranges = List.copyOf(ranges);
    shifts = List.copyOf(shifts);
  }
}
