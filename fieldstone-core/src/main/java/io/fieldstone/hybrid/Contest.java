package io.fieldstone.hybrid;

/**
 * How many parts should work at jobs of one kind: all of them, or only the fastest few.
 * Thread-safe.
 *
 * <p>A share that is right for a part may still be one part too many: parts stand in each other's
 * way on buses and in memory, and every part more is one more to start and to wait for. No rate of
 * a part shows that; the time of whole jobs does. So crews of different sizes, each the fastest
 * parts, compete: for a while, jobs are given to the champion and to a challenger by turns, and the
 * better time decides. Of two that are about as fast the smaller wins.
 *
 * <p>In the beginning every size has its turn once all parts have found their shares; from then on
 * challenges take at most a {@value #PATIENCE}th of the time.
 */
final class Contest {

  /** Jobs of all parts together in which their shares are found. */
  private static final int SETTLING = 8;

  /** Jobs of each crew in a match. */
  private static final int MATCH = 4;

  /** A larger crew must be so many times faster. */
  private static final double WORTH_ANOTHER = 1.03;

  private static final long PATIENCE = 100;

  private final int parts;
  private final Crew champion = new Crew();
  private final Crew challenger = new Crew();
  private int settling = SETTLING;
  private boolean isMatch;

  /** Sizes that have had no match yet. */
  private int untried;

  /** Time of jobs since the last match, and after how much of it the next one begins. */
  private long restNs;

  private long patienceNs;

  /** A number of parts, and how it does in a match. */
  private static final class Crew {
    int size;
    int jobs;
    double least;
    long nanoseconds;

    void begin(int size) {
      this.size = size;
      jobs = 0;
      least = Double.POSITIVE_INFINITY;
      nanoseconds = 0;
    }

    void finished(double work, long took) {
      jobs++;
      least = Math.min(least, took / work);
      nanoseconds += took;
    }
  }

  Contest(int parts) {
    this.parts = parts;
    this.untried = parts - 1;
    champion.begin(parts);
    challenger.begin(parts);
  }

  /** How many parts, the fastest, should do the next job. */
  synchronized int next() {
    return isMatch && challenger.jobs <= champion.jobs ? challenger.size : champion.size;
  }

  /**
   * Takes note of a job.
   *
   * @param size how many parts did it
   * @param work all of it
   * @param nanoseconds it took as a whole
   */
  synchronized void finished(int size, double work, long nanoseconds) {
    if (!isMatch) {
      restNs += nanoseconds;
      settling = Math.max(0, settling - 1);
      if (settling == 0 && restNs >= patienceNs) {
        beginMatch();
      }
    } else if (size == challenger.size) {
      challenger.finished(work, nanoseconds);
    } else if (size == champion.size) {
      champion.finished(work, nanoseconds);
    }
    if (isMatch && challenger.jobs >= MATCH && champion.jobs >= MATCH) {
      endMatch();
    }
  }

  private void beginMatch() {
    champion.begin(champion.size);
    int size = challenger.size % parts + 1;
    challenger.begin(size == champion.size ? size % parts + 1 : size);
    isMatch = true;
  }

  private void endMatch() {
    untried = Math.max(0, untried - 1);
    restNs = 0;
    patienceNs = untried > 0 ? 0 : PATIENCE * challenger.nanoseconds;
    double gain = champion.least / challenger.least;
    if (challenger.size < champion.size ? gain * WORTH_ANOTHER >= 1 : gain > WORTH_ANOTHER) {
      champion.begin(challenger.size);
    }
    isMatch = false;
  }
}
