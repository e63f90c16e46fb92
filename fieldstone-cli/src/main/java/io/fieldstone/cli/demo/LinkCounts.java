package io.fieldstone.cli.demo;

/**
 * The packet counts of one or more links.
 *
 * @param sent the packets sent
 * @param lost the sent packets that do not arrive
 * @param duplicated the sent packets that arrive twice
 * @param reordered the arrivals that later packets overtake
 */
public record LinkCounts(long sent, long lost, long duplicated, long reordered) {

  /** All counts are zero. */
  public static final LinkCounts NONE = new LinkCounts(0, 0, 0, 0);

  /** Returns the sums of two counts. */
  public LinkCounts plus(LinkCounts other) {
    return new LinkCounts(
        sent + other.sent,
        lost + other.lost,
        duplicated + other.duplicated,
        reordered + other.reordered);
  }
}
