package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;

/**
 * A sort of records that are on the GPU.
 *
 * @param makesBuckets whether items are sorted bucket by bucket
 */
record DeviceSort(Gpu gpu, SortKernels kernels, boolean makesBuckets) {

  /** Buckets that keep a large GPU busy. */
  private static final long BUCKET_ITEMS = 1 << 24;

  /** Sorts records where they are, by way of items if they are not items there. */
  void sort(long address, long count) {
    SortLayout layout = kernels.layout();
    SortOutput delivery = SortOutput.ofRecords(layout, address);
    boolean inPlace = layout.isWhole() && address % layout.alignment() == 0;
    ScratchLayout scratch = new ScratchLayout();
    Room room = new Room(kernels, scratch, count, inPlace);
    long fetchedBytes = delivery.isOfItems() ? 0 : count * delivery.bytes();
    long fetched = scratch.device(fetchedBytes);
    gpu.streams()
        .useOne(
            scratch,
            slot -> {
              DoubleBuffer items = room.items(slot, inPlace ? address : slot.device(room.here));
              if (!inPlace) {
                kernels.makeItems(slot, address, items.here(), count, 0);
              }
              sort(slot, room.bench, items, count);
              long plan = room.bench.plan(slot);
              long to = delivery.isOfItems() ? address : slot.device(fetched);
              delivery.deliver(slot, kernels, items, plan, count, to);
              if (fetchedBytes > 0) {
                slot.stream().copy(to, address, fetchedBytes);
              }
              slot.await();
            });
  }

  /** Writes the order of records, in indices of 4 or 8 bytes. */
  void order(long records, long count, long order, int indexBytes) {
    ScratchLayout scratch = new ScratchLayout();
    Room room = new Room(kernels, scratch, count, false);
    gpu.streams()
        .useOne(
            scratch,
            slot -> {
              DoubleBuffer items = room.items(slot, slot.device(room.here));
              kernels.makeItems(slot, records, items.here(), count, 0);
              sort(slot, room.bench, items, count);
              SortOutput.ofOrder(indexBytes)
                  .deliver(slot, kernels, items, room.bench.plan(slot), count, order);
              slot.await();
            });
  }

  private void sort(StreamSlot slot, SortTempStorage bench, DoubleBuffer items, long count) {
    if (makesBuckets) {
      bench.count(slot, items.here(), count);
      new Partition(bench, BucketSizes.all(BUCKET_ITEMS)).sort(slot, items, count);
    } else {
      bench.sort(slot, items, count);
    }
  }

  /** Where everything is in the lane. */
  private static final class Room {
    private final SortTempStorage bench;
    private final long here;
    private final long other;

    Room(SortKernels kernels, ScratchLayout scratch, long count, boolean inPlace) {
      long bytes = Math.multiplyExact(count, kernels.layout().itemBytes());
      bench = new SortTempStorage(kernels, scratch, count, true);
      here = scratch.device(inPlace ? 0 : bytes);
      other = scratch.device(bytes);
    }

    DoubleBuffer items(StreamSlot slot, long address) {
      return new DoubleBuffer(address, slot.device(other));
    }
  }
}
