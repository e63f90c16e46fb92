package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.StreamTrace;
import io.fieldstone.cuda.sorting.RecordUpload.UploadListener;
import io.fieldstone.cuda.sorting.RecordUpload.UploadTarget;
import io.fieldstone.cuda.sorting.delta.DeltaDecoder;
import io.fieldstone.cuda.transfer.HostBytes;
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
record HostToHostSort(
    Gpu gpu,
    CudaSortMethod method,
    SortKernels kernels,
    SortOutput delivery,
    DeltaDecoder unpacker,
    long unpackingBytes) {

  /**
   * Bytes that a bucket should have: half a millisecond on the bus, while the next one is sorted.
   */
  private static final long BUCKET_BYTES = 16 << 20;

  /** Smaller ones do not keep a GPU busy. */
  private static final long MIN_BUCKET_BYTES = 1 << 20;

  /** The first one and the last, when there is enough: smaller ones take the host longer. */
  private static final long FIRST_BUCKET_BYTES = 6 << 20;

  /** Fewer would leave little to do at once. */
  private static final int MIN_BUCKETS = 16;

  /** A bucket may have so many times the items that it should have and still be collected. */
  private static final int MAX_BUCKET = 8;

  /** A quarter of a millisecond on the bus: what is done after the last piece is soon done. */
  private static final long PIECE_BYTES = 16 << 20;

  /** Smaller ones would be done one by one without anything to hide it. */
  private static final long MIN_PIECE_BYTES = 4 << 20;

  /** Pieces that there should be, of those sizes. */
  private static final int PIECES = 16;

  /** What begins elsewhere than at a page takes the bus longer. */
  private static final long PIECE_STEP = 1 << 20;

  /** More would be small parts of a bucket. */
  private static final int MAX_PIECES = 128;

  /** Fewer need not be dealt out before all are there. */
  private static final int MIN_PARTITIONED = 4;

  /** Where everything is in the lane that has the items. */
  private record Room(
      SortTempStorage bench,
      long here,
      long other,
      long records,
      Optional<IncrementalPartition> partition) {

    DoubleBuffer items(StreamSlot slot) {
      return new DoubleBuffer(slot.device(here), slot.device(other));
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
    ScratchLayout scratch = new ScratchLayout();
    long itemBytes = Math.multiplyExact(count, layout.itemBytes());
    Room room =
        new Room(
            new SortTempStorage(kernels, scratch, count, true),
            scratch.device(itemBytes),
            scratch.device(itemBytes),
            keepsRecords() ? scratch.device(count * layout.format().bytes()) : 0,
            dealing(sources, scratch));
    gpu.streams().useOne(scratch, slot -> run(slot, room, sources, target, count));
  }

  private Optional<IncrementalPartition> dealing(List<HostBytes> sources, ScratchLayout scratch) {
    long bytes = pieceBytes(sources);
    int pieces =
        sources.stream()
            .mapToInt(source -> RecordUpload.pieces(source, kernels.layout(), bytes).size())
            .sum();
    boolean isDealt = pieces >= MIN_PARTITIONED && pieces <= SortKernels.MAX_PARTS;
    return isDealt && method.streams() && method.countsEarly()
        ? Optional.of(new IncrementalPartition(kernels, scratch, pieces))
        : Optional.empty();
  }

  private static long pieceBytes(List<HostBytes> sources) {
    long bytes = sources.stream().mapToLong(HostBytes::byteSize).sum();
    long some = Math.clamp(bytes / PIECES, MIN_PIECE_BYTES, PIECE_BYTES);
    long least = Math.ceilDiv(bytes, MAX_PIECES * PIECE_STEP) * PIECE_STEP;
    return Math.max(some, least);
  }

  private boolean keepsRecords() {
    return delivery.what() == SortOutput.What.RECORDS;
  }

  /** A sort under way, in the lane that has the items. */
  private record Run(
      StreamSlot slot,
      DoubleBuffer items,
      SortTempStorage bench,
      SortOutput delivery,
      HostBytes target,
      long count) {}

  private void run(
      StreamSlot slot, Room room, List<HostBytes> sources, HostBytes target, long count) {
    long records = keepsRecords() ? slot.device(room.records()) : 0;
    SortOutput here = new SortOutput(delivery.what(), delivery.bytes(), records);
    Run run = new Run(slot, room.items(slot), room.bench(), here, target, count);
    if (room.partition().isPresent()) {
      deal(run, room.partition().get(), sources);
    } else {
      sort(run, bringAndCount(run, sources));
    }
  }

  /** Brings items and deals them out; if that has not made buckets, they are where they arrived. */
  private void deal(Run run, IncrementalPartition partition, List<HostBytes> sources) {
    IncrementalPartition.State dealt = partition.begin(run.slot(), run.items());
    double busSpeed = packs() ? bringAndWake(run, sources, dealt) : bring(run, sources, dealt);
    long[] counts = dealt.total();
    BucketSizes sizes = sizes(run.count());
    Optional<List<Bucket>> buckets = dealt.buckets(counts, sizes, MAX_BUCKET * sizes.target());
    if (buckets.isPresent()) {
      stream(run, dealt.items(counts), buckets.get(), busSpeed);
    } else {
      run.bench().set(run.slot(), counts);
      sort(run, busSpeed);
    }
  }

  /** As {@link #bring}; whoever unpacks sorted items is awake then. */
  private double bringAndWake(Run run, List<HostBytes> sources, UploadListener arrivals) {
    SortLayout layout = kernels.layout();
    try (PrewakeListener waking =
        new PrewakeListener(arrivals, unpacker, gpu.context(), layout, run.count())) {
      return bring(run, sources, waking);
    }
  }

  /** Returns how fast the bus was, as {@link #bring} does. */
  private double bringAndCount(Run run, List<HostBytes> sources) {
    SortTempStorage bench = run.bench();
    if (method.countsEarly()) {
      bench.clear(run.slot());
      run.slot().stream().synchronize();
      long counts = bench.counts(run.slot());
      return bring(
          run, sources, (slot, items, count) -> kernels.histogram(slot, items, counts, count));
    }
    double busSpeed = bring(run, sources, UploadListener.LEFT_ALONE);
    bench.count(run.slot(), run.items().here(), run.count());
    return busSpeed;
  }

  /** Returns how many bytes the bus has brought in a nanosecond. */
  private double bring(Run run, List<HostBytes> sources, UploadListener arrivals) {
    long begin = System.nanoTime();
    long pieceBytes = pieceBytes(sources);
    UploadTarget landing = new UploadTarget(run.items().here(), run.delivery().records(), 0);
    for (HostBytes source : sources) {
      gpu.run(new RecordUpload(source, kernels, landing, arrivals, pieceBytes));
      SortLayout layout = kernels.layout();
      landing = landing.after(source.byteSize() / layout.format().bytes(), layout);
    }
    return (double) run.target().byteSize() / Math.max(1, System.nanoTime() - begin);
  }

  /** Sorts items that have been counted, and brings home what they deliver. */
  private void sort(Run run, double busSpeed) {
    StreamSlot slot = run.slot();
    DoubleBuffer items = run.items();
    Partition partition = new Partition(run.bench(), sizes(run.count()));
    if (method.streams()) {
      List<Bucket> buckets = partition.cut(slot, items, run.count());
      slot.stream().synchronize();
      BucketItems inPlace = new BucketItems.InPlace(items, kernels);
      stream(run, inPlace, buckets, busSpeed);
      return;
    }
    if (method.makesBuckets()) {
      partition.sort(slot, items, run.count());
    } else {
      try (StreamTrace.Open _ = slot.phase("sort", run.count() * kernels.layout().itemBytes())) {
        run.bench().sortCounted(slot, items, run.count());
      }
    }
    long plan = run.bench().plan(slot);
    if (run.delivery().isOfItems()) {
      run.delivery().deliver(slot, kernels, items, plan, run.count(), items.here());
    }
    slot.stream().synchronize();
    gpu.run(new RecordDownload(kernels, items, plan, run.delivery(), run.target()));
  }

  /** Buckets of a size that suits the bus, all of them together and the GPU. */
  private BucketSizes sizes(long count) {
    long bytes = count * delivery.bytes() / MIN_BUCKETS;
    long target = Math.clamp(bytes, MIN_BUCKET_BYTES, BUCKET_BYTES) / delivery.bytes();
    return new BucketSizes(Math.max(1, target), Math.max(1, FIRST_BUCKET_BYTES / delivery.bytes()));
  }

  private boolean packs() {
    return method.packs() && delivery.isOfItems() && kernels.layout().isKeys();
  }

  private void stream(Run run, BucketItems items, List<Bucket> buckets, double busSpeed) {
    BucketJob plain = new BucketJob(kernels, items, buckets, run.delivery(), run.target());
    if (packs() && CompressedDownload.unpackingBytes(plain) <= unpackingBytes) {
      gpu.run(new CompressedDownload(plain, unpacker, busSpeed));
    } else {
      gpu.run(plain);
    }
  }
}
