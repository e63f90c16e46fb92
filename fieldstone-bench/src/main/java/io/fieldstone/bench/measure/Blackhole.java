package io.fieldstone.bench.measure;

/** Consumes results, so that the compiler cannot remove the work behind them. */
public final class Blackhole {

  /** Volatile, so that each write is visible and cannot be removed. */
  private volatile long last;

  public void consume(long value) {
    last = value;
  }

  long last() {
    return last;
  }
}
