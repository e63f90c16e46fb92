package io.fieldstone.cuda;

/**
 * What becomes of sorted items.
 *
 * @param what is delivered
 * @param bytes of what each item delivers
 * @param records address of those that are fetched
 */
record Delivery(What what, int bytes, long records) {

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
  static Delivery ofRecords(SortLayout layout, long records) {
    return new Delivery(
        layout.isWhole() ? What.ITEMS : What.RECORDS, layout.format().bytes(), records);
  }

  /** The order of records, in indices of 4 or 8 bytes. */
  static Delivery ofOrder(int indexBytes) {
    return new Delivery(What.ORDER, indexBytes, 0);
  }

  /** Whether items are delivered as they are. */
  boolean isOfItems() {
    return what == What.ITEMS;
  }

  /** Delivers items from where the plan says to {@code to}. */
  void deliver(Lane lane, SortKernels kernels, SortItems items, long plan, long count, long to) {
    if (count == 0) {
      return;
    }
    try (LanePhases.Open _ = lane.phase("deliver", count * bytes)) {
      switch (what) {
        case ITEMS -> kernels.give(lane, items, plan, to, count);
        case RECORDS -> kernels.gather(lane, items, plan, records, to, count);
        case ORDER -> kernels.order(lane, items, plan, to, count, bytes);
      }
    }
  }
}
