package io.fieldstone.cli.demo;

/**
 * What one link, or several together, did.
 *
 * @param sent packets given to it
 * @param lost of these, packets that never arrive
 * @param duplicated of these, packets that arrive twice
 * @param reordered arrivals that later packets overtake
 */
public record LinkCounts(long sent, long lost, long duplicated, long reordered) {

  /** Nothing yet. */
  public static final LinkCounts NONE = new LinkCounts(0, 0, 0, 0);

  /** Both together. */
  public LinkCounts plus(LinkCounts other) {
    return new LinkCounts(
        sent + other.sent,
        lost + other.lost,
        duplicated + other.duplicated,
        reordered + other.reordered);
  }
}
