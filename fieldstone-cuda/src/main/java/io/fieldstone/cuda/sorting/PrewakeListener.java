package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.driver.Context;
import io.fieldstone.cuda.driver.Event;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.sorting.delta.DeltaDecoder;

/**
 * Wakes whoever will unpack sorted keys when the last items are on their way up: threads that were
 * left to sleep until they are needed would be late by a tenth of the way down. For one thread at a
 * time.
 */
final class PrewakeListener implements RecordUpload.UploadListener, AutoCloseable {

  /** Most of a millisecond on the bus, as long as waking up takes and a lane stays awake. */
  private static final long BYTES_BEFORE = 48 << 20;

  private final RecordUpload.UploadListener arrivals;
  private final DeltaDecoder unpacker;
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
  PrewakeListener(
      RecordUpload.UploadListener arrivals,
      DeltaDecoder unpacker,
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
  public void reserve(ScratchLayout scratch, long most) {
    arrivals.reserve(scratch, most);
  }

  @Override
  public void arrived(StreamSlot slot, long items, long count) {
    arrivals.arrived(slot, items, count);
    itemsLeft -= count;
    if (itemsLeft <= itemsBefore && !isMarked) {
      slot.stream().record(isSoonThere);
      isMarked = true;
    }
  }

  @Override
  public void enqueueDependent(StreamSlot slot) {
    arrivals.enqueueDependent(slot);
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
