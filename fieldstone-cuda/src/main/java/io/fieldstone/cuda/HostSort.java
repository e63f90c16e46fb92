package io.fieldstone.cuda;

import io.fieldstone.cuda.TakeJob.Landing;
import java.util.List;

/**
 * A sort from host memory to host memory, all of whose items are on the GPU at a time.
 *
 * @param method how
 * @param kernels for the items
 * @param delivery what is delivered, to where records are resident if it needs any
 */
record HostSort(
    Gpu gpu, SortMethod method, SortKernels kernels, Delivery delivery, Unpacker unpacker) {

  /**
   * Bytes that a bucket should have: half a millisecond on the bus, while the next one is sorted.
   */
  private static final long BUCKET_BYTES = 16 << 20;

  /** Smaller ones do not keep a GPU busy. */
  private static final long LEAST_BUCKET_BYTES = 1 << 20;

  /** Fewer would leave little to do at once. */
  private static final int LEAST_BUCKETS = 16;

  /** Where everything is in the lane that has the items. */
  private record Room(SortBench bench, long here, long other, long records) {

    SortItems items(Lane lane) {
      return new SortItems(lane.device(here), lane.device(other));
    }
  }

  /**
   * Sorts.
   *
   * @param sources records, one after the other; not all of them are empty
   * @param target where what is delivered belongs
   * @throws io.fieldstone.cuda.driver.OutOfDeviceMemoryException if the GPU has not the memory;
   *     nothing has been written
   */
  void run(List<HostBytes> sources, HostBytes target) {
    long count = target.byteSize() / delivery.bytes();
    SortLayout layout = kernels.layout();
    Workspace workspace = new Workspace();
    long itemBytes = Math.multiplyExact(count, layout.itemBytes());
    Room room =
        new Room(
            new SortBench(kernels, workspace, count, true),
            workspace.device(itemBytes),
            workspace.device(itemBytes),
            keepsRecords() ? workspace.device(count * layout.format().bytes()) : 0);
    gpu.lanes().useOne(workspace, lane -> run(lane, room, sources, target, count));
  }

  private boolean keepsRecords() {
    return delivery.what() == Delivery.What.RECORDS;
  }

  private void run(Lane lane, Room room, List<HostBytes> sources, HostBytes target, long count) {
    SortItems items = room.items(lane);
    SortBench bench = room.bench();
    long records = keepsRecords() ? lane.device(room.records()) : 0;
    Delivery here = new Delivery(delivery.what(), delivery.bytes(), records);
    bench.clear(lane);
    lane.stream().synchronize();
    long counts = method.countsEarly() ? bench.counts(lane) : 0;
    bring(sources, new Landing(items.here(), records, 0, counts));
    if (!method.countsEarly()) {
      bench.count(lane, items.here(), count);
    }
    if (method.streams()) {
      List<Bucket> buckets = partition(bench, count).cut(lane, items, count);
      lane.stream().synchronize();
      stream(new BucketJob(kernels, items, buckets, here, target));
      return;
    }
    if (method.makesBuckets()) {
      partition(bench, count).sort(lane, items, count);
    } else {
      try (LanePhases.Open _ = lane.phase("sort", count * kernels.layout().itemBytes())) {
        bench.sortCounted(lane, items, count);
      }
    }
    if (here.isOfItems()) {
      here.deliver(lane, kernels, items, bench.plan(lane), count, items.here());
    }
    lane.stream().synchronize();
    gpu.run(new DeliverJob(kernels, items, bench.plan(lane), here, target));
  }

  private void bring(List<HostBytes> sources, Landing first) {
    Landing landing = first;
    for (HostBytes source : sources) {
      gpu.run(new TakeJob(source, kernels, landing));
      SortLayout layout = kernels.layout();
      landing = landing.after(source.byteSize() / layout.format().bytes(), layout);
    }
  }

  /** Buckets of a size that suits the bus, all of them together and the GPU. */
  private Partition partition(SortBench bench, long count) {
    long bytes = count * delivery.bytes() / LEAST_BUCKETS;
    long target = Math.clamp(bytes, LEAST_BUCKET_BYTES, BUCKET_BYTES) / delivery.bytes();
    return new Partition(bench, Math.max(1, target));
  }

  private void stream(BucketJob plain) {
    if (method.packs() && delivery.isOfItems() && kernels.layout().isKeys()) {
      gpu.run(new PackedJob(plain, unpacker));
    } else {
      gpu.run(plain);
    }
  }
}
