package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.driver.Context;
import io.fieldstone.cuda.driver.Event;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.sorting.delta.DeltaDecoder;

/**
 * Wakes the decoding threads shortly before the upload ends. Waking parked threads at the first
 * compressed bucket would delay its decoding by a tenth of the download. With the lock-free queue
 * of {@link io.fieldstone.concurrent.TaskPool} it saves 0.8 of 13.4 ms for 10^8 keys on an H200:
 * {@code docs/benchmarks/sort.md}, "Threads that decode". Not thread-safe.
 *
 * <p>An event reports the progress of the upload, because all pieces may be enqueued before the
 * host waits for the first.
 */
final class PrewakeListener implements RecordUpload.UploadListener, AutoCloseable {

  /** Bytes left to upload at the wake-up: 0.9 ms, less than the threads spin before they park. */
  private static final long REMAINING_BYTES = 48 << 20;

  private final RecordUpload.UploadListener listener;
  private final DeltaDecoder decoder;
  private final Event nearEnd;
  private final long remainingItems;
  private long itemsLeft;
  private boolean isRecorded;
  private boolean isAwake;

  /**
   * Wraps a listener.
   *
   * @param listener that receives all calls
   * @param count of all items
   */
  PrewakeListener(
      RecordUpload.UploadListener listener,
      DeltaDecoder decoder,
      Context context,
      SortLayout layout,
      long count) {
    this.listener = listener;
    this.decoder = decoder;
    this.nearEnd = context.event();
    this.remainingItems = REMAINING_BYTES / layout.itemBytes();
    this.itemsLeft = count;
  }

  @Override
  public void reserve(ScratchLayout scratch, long maxItems) {
    listener.reserve(scratch, maxItems);
  }

  @Override
  public void enqueue(StreamSlot slot, long items, long count) {
    listener.enqueue(slot, items, count);
    itemsLeft -= count;
    if (itemsLeft <= remainingItems && !isRecorded) {
      slot.stream().record(nearEnd);
      isRecorded = true;
    }
  }

  @Override
  public void enqueueDependent(StreamSlot slot) {
    listener.enqueueDependent(slot);
  }

  @Override
  public void beforeWaiting() {
    if (isRecorded && !isAwake) {
      nearEnd.synchronize();
      decoder.wake();
      isAwake = true;
    }
  }

  @Override
  public void close() {
    nearEnd.close();
  }
}
