package io.fieldstone.bench;

/** Takes results that nobody needs, so that the compiler cannot leave out the work behind them. */
final class Sink {

  /** Volatile: a write to it is something the outside might see. */
  private volatile long last;

  void take(long value) {
    last = value;
  }

  long last() {
    return last;
  }
}
