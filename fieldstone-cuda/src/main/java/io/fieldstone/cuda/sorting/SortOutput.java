package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.StreamTrace;

/**
 * The output of a sort: the sorted records, or their order.
 *
 * @param kind of output
 * @param bytes of output for each item
 * @param records device address of the records that are gathered, if any
 */
record SortOutput(Kind kind, int bytes, long records) {

  /** The kind of data written for each item. */
  enum Kind {
    /** The item, which is the record. */
    ITEMS,
    /** The record that the item is the index of. */
    RECORDS,
    /** The index of the record. */
    ORDER
  }

  /** Returns the output of records in sorted order. */
  static SortOutput ofRecords(SortLayout layout, long records) {
    return new SortOutput(
        layout.isWholeRecord() ? Kind.ITEMS : Kind.RECORDS, layout.format().bytes(), records);
  }

  /** Returns the output of the order of records, in indices of 4 or 8 bytes. */
  static SortOutput ofOrder(int indexBytes) {
    return new SortOutput(Kind.ORDER, indexBytes, 0);
  }

  /** Whether the output consists of the items. */
  boolean isOfItems() {
    return kind == Kind.ITEMS;
  }

  /** Writes the output of sorted items to a device address. */
  void write(
      StreamSlot slot, SortKernels kernels, DoubleBuffer items, long plan, long count, long to) {
    if (count == 0) {
      return;
    }
    try (StreamTrace.Open _ = slot.phase("deliver", count * bytes)) {
      switch (kind) {
        case ITEMS -> kernels.copyItems(slot, items, plan, to, count);
        case RECORDS -> kernels.gather(slot, items, plan, records, to, count);
        case ORDER -> kernels.order(slot, items, plan, to, count, bytes);
      }
    }
  }
}
