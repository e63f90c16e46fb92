package io.fieldstone.bench.measure;

/** Takes results that nobody needs, so that the compiler cannot leave out the work behind them. */
public final class Blackhole {

  /** Volatile: a write to it is something the outside might see. */
  private volatile long last;

  public void consume(long value) {
    last = value;
  }

  long last() {
    return last;
  }
}
