package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.StreamTrace;

/**
 * What becomes of sorted items.
 *
 * @param what is delivered
 * @param bytes of what each item delivers
 * @param records address of those that are fetched
 */
record SortOutput(What what, int bytes, long records) {

  /** What is delivered. */
  enum What {
    /** The items, which are the records. */
    ITEMS,
    /** The records that items are indices of. */
    RECORDS,
    /** The indices. */
    ORDER
  }

  /** Records in their order. */
  static SortOutput ofRecords(SortLayout layout, long records) {
    return new SortOutput(
        layout.isWhole() ? What.ITEMS : What.RECORDS, layout.format().bytes(), records);
  }

  /** The order of records, in indices of 4 or 8 bytes. */
  static SortOutput ofOrder(int indexBytes) {
    return new SortOutput(What.ORDER, indexBytes, 0);
  }

  /** Whether items are delivered as they are. */
  boolean isOfItems() {
    return what == What.ITEMS;
  }

  /** Delivers items from where the plan says to {@code to}. */
  void deliver(
      StreamSlot slot, SortKernels kernels, DoubleBuffer items, long plan, long count, long to) {
    if (count == 0) {
      return;
    }
    try (StreamTrace.Open _ = slot.phase("deliver", count * bytes)) {
      switch (what) {
        case ITEMS -> kernels.copyItems(slot, items, plan, to, count);
        case RECORDS -> kernels.gather(slot, items, plan, records, to, count);
        case ORDER -> kernels.order(slot, items, plan, to, count, bytes);
      }
    }
  }
}
