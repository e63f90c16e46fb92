package io.fieldstone.cuda;

/**
 * A sort of records that are on the GPU.
 *
 * @param makesBuckets whether items are sorted bucket by bucket
 */
record ResidentSort(Gpu gpu, SortKernels kernels, boolean makesBuckets) {

  /** Buckets that keep a large GPU busy. */
  private static final long BUCKET_ITEMS = 1 << 24;

  /** Sorts records where they are, by way of items if they are not items there. */
  void sort(long address, long count) {
    SortLayout layout = kernels.layout();
    Delivery delivery = Delivery.ofRecords(layout, address);
    boolean inPlace = layout.isWhole() && address % layout.alignment() == 0;
    Workspace workspace = new Workspace();
    Room room = new Room(kernels, workspace, count, inPlace);
    long fetchedBytes = delivery.isOfItems() ? 0 : count * delivery.bytes();
    long fetched = workspace.device(fetchedBytes);
    gpu.lanes()
        .useOne(
            workspace,
            lane -> {
              SortItems items = room.items(lane, inPlace ? address : lane.device(room.here));
              if (!inPlace) {
                kernels.take(lane, address, items.here(), count, 0);
              }
              sort(lane, room.bench, items, count);
              long plan = room.bench.plan(lane);
              long to = delivery.isOfItems() ? address : lane.device(fetched);
              delivery.deliver(lane, kernels, items, plan, count, to);
              if (fetchedBytes > 0) {
                lane.stream().copy(to, address, fetchedBytes);
              }
              lane.await();
            });
  }

  /** Writes the order of records, in indices of 4 or 8 bytes. */
  void order(long records, long count, long order, int indexBytes) {
    Workspace workspace = new Workspace();
    Room room = new Room(kernels, workspace, count, false);
    gpu.lanes()
        .useOne(
            workspace,
            lane -> {
              SortItems items = room.items(lane, lane.device(room.here));
              kernels.take(lane, records, items.here(), count, 0);
              sort(lane, room.bench, items, count);
              Delivery.ofOrder(indexBytes)
                  .deliver(lane, kernels, items, room.bench.plan(lane), count, order);
              lane.await();
            });
  }

  private void sort(Lane lane, SortBench bench, SortItems items, long count) {
    if (makesBuckets) {
      bench.count(lane, items.here(), count);
      new Partition(bench, BucketSizes.all(BUCKET_ITEMS)).sort(lane, items, count);
    } else {
      bench.sort(lane, items, count);
    }
  }

  /** Where everything is in the lane. */
  private static final class Room {
    private final SortBench bench;
    private final long here;
    private final long other;

    Room(SortKernels kernels, Workspace workspace, long count, boolean inPlace) {
      long bytes = Math.multiplyExact(count, kernels.layout().itemBytes());
      bench = new SortBench(kernels, workspace, count, true);
      here = workspace.device(inPlace ? 0 : bytes);
      other = workspace.device(bytes);
    }

    SortItems items(Lane lane, long address) {
      return new SortItems(address, lane.device(other));
    }
  }
}
