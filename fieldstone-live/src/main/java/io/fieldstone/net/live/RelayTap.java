package io.fieldstone.net.live;

import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;

/** Copies what a relay has received or solved to its window, and has it passed on. */
final class RelayTap implements LiveReceiver.Tap {

  private final RelayWindow window;
  private final LongConsumer late;
  private final Runnable added;

  /**
   * Creates a tap.
   *
   * @param late sends a source that has become known after later ones
   * @param added sends what has been added to the window
   */
  RelayTap(RelayWindow window, LongConsumer late, Runnable added) {
    this.window = window;
    this.late = late;
    this.added = added;
  }

  @Override
  public void source(long id, MemorySegment source, long nowNanos) {
    boolean isLatest = id >= window.end();
    window.source(id, source, nowNanos);
    if (!isLatest) {
      late.accept(id);
    }
    added.run();
  }

  @Override
  public void skipped(long first, long end, long nowNanos) {
    window.skip(first, end, nowNanos);
    added.run();
  }
}
