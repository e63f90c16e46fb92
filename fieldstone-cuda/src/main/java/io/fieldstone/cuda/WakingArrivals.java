package io.fieldstone.cuda;

import io.fieldstone.cuda.driver.Context;
import io.fieldstone.cuda.driver.Event;

/**
 * Wakes whoever will unpack sorted keys when the last items are on their way up: threads that were
 * left to sleep until they are needed would be late by a tenth of the way down. For one thread at a
 * time.
 */
final class WakingArrivals implements TakeJob.Arrivals, AutoCloseable {

  /** Most of a millisecond on the bus, as long as waking up takes and a lane stays awake. */
  private static final long BYTES_BEFORE = 48 << 20;

  private final TakeJob.Arrivals arrivals;
  private final Unpacker unpacker;
  private final Event isSoonThere;
  private final long itemsBefore;
  private long itemsLeft;
  private boolean isMarked;
  private boolean isDone;

  /**
   * Makes what wakes threads.
   *
   * @param arrivals what is done with items besides
   * @param count of all items
   */
  WakingArrivals(
      TakeJob.Arrivals arrivals,
      Unpacker unpacker,
      Context context,
      SortLayout layout,
      long count) {
    this.arrivals = arrivals;
    this.unpacker = unpacker;
    this.isSoonThere = context.event();
    this.itemsBefore = BYTES_BEFORE / layout.itemBytes();
    this.itemsLeft = count;
  }

  @Override
  public void reserve(Workspace workspace, long most) {
    arrivals.reserve(workspace, most);
  }

  @Override
  public void arrived(Lane lane, long items, long count) {
    arrivals.arrived(lane, items, count);
    itemsLeft -= count;
    if (itemsLeft <= itemsBefore && !isMarked) {
      lane.stream().record(isSoonThere);
      isMarked = true;
    }
  }

  @Override
  public void proceed(Lane lane) {
    arrivals.proceed(lane);
  }

  @Override
  public void beforeWaiting() {
    if (isMarked && !isDone) {
      isSoonThere.synchronize();
      unpacker.wake();
      isDone = true;
    }
  }

  @Override
  public void close() {
    isSoonThere.close();
  }
}
