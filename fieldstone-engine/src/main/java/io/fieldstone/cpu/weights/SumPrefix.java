package io.fieldstone.cpu.weights;

/**
 * The largest rows of sums, one prefix after the other in the order of {@link
 * io.fieldstone.engine.weights.Subsets}, with their sum. For one thread.
 */
final class SumPrefix {

  private final PartTable rows;
  private final long[][] binomials;
  private final int tail;

  /** Row i of a sum, ascending; those of the tail are not used. */
  private final int[] chosen;

  /** Sum of rows i … size − 1 of the prefix, at [i]; zero at [size]. */
  private final long[][] sums;

  private long inTail;

  /**
   * Makes the prefix of a sum.
   *
   * @param binomials C(c, i) at [i][c]
   * @param size the rows of a sum
   * @param tail the smallest rows, which are not of the prefix
   * @param number of the sum
   */
  SumPrefix(PartTable rows, long[][] binomials, int size, int tail, long number) {
    this.rows = rows;
    this.binomials = binomials;
    this.tail = tail;
    this.chosen = new int[size];
    this.sums = new long[size + 1][rows.parts().length];
    long rest = number;
    int next = rows.rows() - 1;
    for (int i = size; i > tail; i--) {
      while (binomials[i][next] > rest) {
        next--;
      }
      chosen[i - 1] = next;
      rest -= binomials[i][next];
    }
    inTail = rest;
    addFrom(size - 1);
  }

  /** Returns the first number in the tail: not 0 for the first prefix only. */
  int inTail() {
    return (int) inTail;
  }

  /** Returns the number of sums with this prefix. */
  int tails() {
    int below = tail < chosen.length ? chosen[tail] : rows.rows();
    return (int) binomials[tail][below];
  }

  /** Returns the sum of the prefix. */
  long[] sum() {
    return sums[tail];
  }

  /** Goes on to the next prefix, which exists. */
  void next() {
    inTail = 0;
    int i = tail;
    while (i + 1 < chosen.length && chosen[i] + 1 == chosen[i + 1]) {
      chosen[i] = i;
      i++;
    }
    chosen[i]++;
    addFrom(i);
  }

  private void addFrom(int last) {
    for (int i = last; i >= tail; i--) {
      System.arraycopy(sums[i + 1], 0, sums[i], 0, sums[i].length);
      rows.addTo(chosen[i], sums[i]);
    }
  }
}
