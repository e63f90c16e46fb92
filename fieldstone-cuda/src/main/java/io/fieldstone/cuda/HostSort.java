package io.fieldstone.cuda;

import io.fieldstone.cuda.TakeJob.Arrivals;
import io.fieldstone.cuda.TakeJob.Landing;
import java.util.List;
import java.util.Optional;

/**
 * A sort from host memory to host memory, all of whose items are on the GPU at a time.
 *
 * @param method how
 * @param kernels for the items
 * @param delivery what is delivered, to where records are resident if it needs any
 * @param unpackingBytes of this machine's memory that there may be to unpack from
 */
record HostSort(
    Gpu gpu,
    SortMethod method,
    SortKernels kernels,
    Delivery delivery,
    Unpacker unpacker,
    long unpackingBytes) {

  /**
   * Bytes that a bucket should have: half a millisecond on the bus, while the next one is sorted.
   */
  private static final long BUCKET_BYTES = 16 << 20;

  /** Smaller ones do not keep a GPU busy. */
  private static final long LEAST_BUCKET_BYTES = 1 << 20;

  /** The first one and the last, when there is enough: smaller ones take the host longer. */
  private static final long FIRST_BUCKET_BYTES = 6 << 20;

  /** Fewer would leave little to do at once. */
  private static final int LEAST_BUCKETS = 16;

  /** A bucket may have so many times the items that it should have and still be collected. */
  private static final int LARGEST_BUCKET = 8;

  /** A quarter of a millisecond on the bus: what is done after the last piece is soon done. */
  private static final long PIECE_BYTES = 16 << 20;

  /** Smaller ones would be done one by one without anything to hide it. */
  private static final long LEAST_PIECE_BYTES = 4 << 20;

  /** Pieces that there should be, of those sizes. */
  private static final int PIECES = 16;

  /** What begins elsewhere than at a page takes the bus longer. */
  private static final long PIECE_STEP = 1 << 20;

  /** More would be small parts of a bucket. */
  private static final int MOST_PIECES = 128;

  /** Fewer need not be dealt out before all are there. */
  private static final int LEAST_DEALT = 4;

  /** Where everything is in the lane that has the items. */
  private record Room(
      SortBench bench, long here, long other, long records, Optional<Dealing> dealing) {

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
            keepsRecords() ? workspace.device(count * layout.format().bytes()) : 0,
            dealing(sources, workspace));
    gpu.lanes().useOne(workspace, lane -> run(lane, room, sources, target, count));
  }

  private Optional<Dealing> dealing(List<HostBytes> sources, Workspace workspace) {
    long bytes = pieceBytes(sources);
    int pieces =
        sources.stream()
            .mapToInt(source -> TakeJob.pieces(source, kernels.layout(), bytes).size())
            .sum();
    boolean isDealt = pieces >= LEAST_DEALT && pieces <= SortKernels.MOST_PARTS;
    return isDealt && method.streams() && method.countsEarly()
        ? Optional.of(new Dealing(kernels, workspace, pieces))
        : Optional.empty();
  }

  private static long pieceBytes(List<HostBytes> sources) {
    long bytes = sources.stream().mapToLong(HostBytes::byteSize).sum();
    long some = Math.clamp(bytes / PIECES, LEAST_PIECE_BYTES, PIECE_BYTES);
    long least = Math.ceilDiv(bytes, MOST_PIECES * PIECE_STEP) * PIECE_STEP;
    return Math.max(some, least);
  }

  private boolean keepsRecords() {
    return delivery.what() == Delivery.What.RECORDS;
  }

  /** A sort under way, in the lane that has the items. */
  private record Run(
      Lane lane,
      SortItems items,
      SortBench bench,
      Delivery delivery,
      HostBytes target,
      long count) {}

  private void run(Lane lane, Room room, List<HostBytes> sources, HostBytes target, long count) {
    long records = keepsRecords() ? lane.device(room.records()) : 0;
    Delivery here = new Delivery(delivery.what(), delivery.bytes(), records);
    Run run = new Run(lane, room.items(lane), room.bench(), here, target, count);
    if (room.dealing().isPresent()) {
      deal(run, room.dealing().get(), sources);
    } else {
      sort(run, bringAndCount(run, sources));
    }
  }

  /** Brings items and deals them out; if that has not made buckets, they are where they arrived. */
  private void deal(Run run, Dealing dealing, List<HostBytes> sources) {
    Dealing.Dealt dealt = dealing.begin(run.lane(), run.items());
    double busSpeed = packs() ? bringAndWake(run, sources, dealt) : bring(run, sources, dealt);
    long[] counts = dealt.total();
    BucketSizes sizes = sizes(run.count());
    Optional<List<Bucket>> buckets = dealt.buckets(counts, sizes, LARGEST_BUCKET * sizes.target());
    if (buckets.isPresent()) {
      stream(run, dealt.items(counts), buckets.get(), busSpeed);
    } else {
      run.bench().set(run.lane(), counts);
      sort(run, busSpeed);
    }
  }

  /** As {@link #bring}; whoever unpacks sorted items is awake then. */
  private double bringAndWake(Run run, List<HostBytes> sources, Arrivals arrivals) {
    SortLayout layout = kernels.layout();
    try (WakingArrivals waking =
        new WakingArrivals(arrivals, unpacker, gpu.context(), layout, run.count())) {
      return bring(run, sources, waking);
    }
  }

  /** Returns how fast the bus was, as {@link #bring} does. */
  private double bringAndCount(Run run, List<HostBytes> sources) {
    SortBench bench = run.bench();
    if (method.countsEarly()) {
      bench.clear(run.lane());
      run.lane().stream().synchronize();
      long counts = bench.counts(run.lane());
      return bring(
          run, sources, (lane, items, count) -> kernels.histogram(lane, items, counts, count));
    }
    double busSpeed = bring(run, sources, Arrivals.LEFT_ALONE);
    bench.count(run.lane(), run.items().here(), run.count());
    return busSpeed;
  }

  /** Returns how many bytes the bus has brought in a nanosecond. */
  private double bring(Run run, List<HostBytes> sources, Arrivals arrivals) {
    long begin = System.nanoTime();
    long pieceBytes = pieceBytes(sources);
    Landing landing = new Landing(run.items().here(), run.delivery().records(), 0);
    for (HostBytes source : sources) {
      gpu.run(new TakeJob(source, kernels, landing, arrivals, pieceBytes));
      SortLayout layout = kernels.layout();
      landing = landing.after(source.byteSize() / layout.format().bytes(), layout);
    }
    return (double) run.target().byteSize() / Math.max(1, System.nanoTime() - begin);
  }

  /** Sorts items that have been counted, and brings home what they deliver. */
  private void sort(Run run, double busSpeed) {
    Lane lane = run.lane();
    SortItems items = run.items();
    Partition partition = new Partition(run.bench(), sizes(run.count()));
    if (method.streams()) {
      List<Bucket> buckets = partition.cut(lane, items, run.count());
      lane.stream().synchronize();
      BucketItems inPlace = new BucketItems.InPlace(items, kernels);
      stream(run, inPlace, buckets, busSpeed);
      return;
    }
    if (method.makesBuckets()) {
      partition.sort(lane, items, run.count());
    } else {
      try (LanePhases.Open _ = lane.phase("sort", run.count() * kernels.layout().itemBytes())) {
        run.bench().sortCounted(lane, items, run.count());
      }
    }
    long plan = run.bench().plan(lane);
    if (run.delivery().isOfItems()) {
      run.delivery().deliver(lane, kernels, items, plan, run.count(), items.here());
    }
    lane.stream().synchronize();
    gpu.run(new DeliverJob(kernels, items, plan, run.delivery(), run.target()));
  }

  /** Buckets of a size that suits the bus, all of them together and the GPU. */
  private BucketSizes sizes(long count) {
    long bytes = count * delivery.bytes() / LEAST_BUCKETS;
    long target = Math.clamp(bytes, LEAST_BUCKET_BYTES, BUCKET_BYTES) / delivery.bytes();
    return new BucketSizes(Math.max(1, target), Math.max(1, FIRST_BUCKET_BYTES / delivery.bytes()));
  }

  private boolean packs() {
    return method.packs() && delivery.isOfItems() && kernels.layout().isKeys();
  }

  private void stream(Run run, BucketItems items, List<Bucket> buckets, double busSpeed) {
    BucketJob plain = new BucketJob(kernels, items, buckets, run.delivery(), run.target());
    if (packs() && PackedJob.unpackingBytes(plain) <= unpackingBytes) {
      gpu.run(new PackedJob(plain, unpacker, busSpeed));
    } else {
      gpu.run(plain);
    }
  }
}
