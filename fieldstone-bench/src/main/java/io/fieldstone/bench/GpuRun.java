package io.fieldstone.bench;

/** What the sections of {@code bench gpu} share. */
record GpuRun(Lineup lineup, Limits limits, Pace pace) {

  /** Nothing is less true on a quarter of the data but the second digit. */
  private static final int QUICK_SHARE = 4;

  /**
   * As many coded as source blocks, of so many generations that the source has about {@code bytes}.
   */
  Batch batch(int n, int k, long bytes) {
    int blocks = Math.max(1, n / pace.shrink());
    long share = bytes / pace.shrink() / (pace.wholeGrid() ? 1 : QUICK_SHARE);
    return Batch.square(blocks, k, share, Long.MAX_VALUE);
  }
}
