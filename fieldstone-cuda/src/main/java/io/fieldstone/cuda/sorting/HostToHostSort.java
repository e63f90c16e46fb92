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
 * Sorts host memory to host memory, with all items on the GPU at once.
 *
 * @param kernels for the items
 * @param output of the sort; its address of records is replaced by that of the uploaded ones
 * @param maxDecodingBytes of pinned memory for compressed keys
 */
record HostToHostSort(
    Gpu gpu,
    CudaSortMethod method,
    SortKernels kernels,
    SortOutput output,
    DeltaDecoder decoder,
    long maxDecodingBytes) {

  /** Offsets of the buffers in the slot that has the items. */
  private record Buffers(
      SortTempStorage storage,
      long current,
      long alternate,
      long records,
      Optional<IncrementalPartition.Buffers> partition) {

    DoubleBuffer items(StreamSlot slot) {
      return new DoubleBuffer(slot.device(current), slot.device(alternate));
    }
  }

  /**
   * Sorts records.
   *
   * @param sources records, one segment after the other; at least one is not empty
   * @param target receives the output
   * @throws io.fieldstone.cuda.driver.OutOfDeviceMemoryException if the items do not fit on the
   *     GPU; the target is unchanged then
   */
  void run(List<HostBytes> sources, HostBytes target) {
    long count = target.byteSize() / output.bytes();
    SortLayout layout = kernels.layout();
    ScratchLayout scratch = new ScratchLayout();
    long itemBytes = Math.multiplyExact(count, layout.itemBytes());
    Buffers buffers =
        new Buffers(
            new SortTempStorage(kernels, scratch, count, true, method.steps()),
            scratch.device(itemBytes),
            scratch.device(itemBytes),
            keepsRecords() ? scratch.device(count * layout.format().bytes()) : 0,
            partition(sources, scratch));
    gpu.streams().useOne(scratch, slot -> run(slot, buffers, sources, target, count));
  }

  private Optional<IncrementalPartition.Buffers> partition(
      List<HostBytes> sources, ScratchLayout scratch) {
    long bytes = pieceBytes(sources);
    int pieces =
        sources.stream()
            .mapToInt(source -> RecordUpload.pieces(source, kernels.layout(), bytes).size())
            .sum();
    boolean hasRightCount =
        pieces >= tuning().pieces().minPartitioned() && pieces <= SortKernels.MAX_PARTS;
    return hasRightCount && method.streamsBuckets() && method.countsDuringUpload()
        ? Optional.of(IncrementalPartition.reserve(kernels, scratch, pieces))
        : Optional.empty();
  }

  private long pieceBytes(List<HostBytes> sources) {
    return tuning().pieces().bytes(sources.stream().mapToLong(HostBytes::byteSize).sum());
  }

  private SortTuning tuning() {
    return kernels.tuning();
  }

  private boolean keepsRecords() {
    return output.kind() == SortOutput.Kind.RECORDS;
  }

  /** A running sort, in the slot that has the items. */
  private record Run(
      StreamSlot slot,
      DoubleBuffer items,
      SortTempStorage storage,
      SortOutput output,
      HostBytes target,
      long count) {}

  private void run(
      StreamSlot slot, Buffers buffers, List<HostBytes> sources, HostBytes target, long count) {
    long records = keepsRecords() ? slot.device(buffers.records()) : 0;
    SortOutput located = new SortOutput(output.kind(), output.bytes(), records);
    Run run = new Run(slot, buffers.items(slot), buffers.storage(), located, target, count);
    if (buffers.partition().isPresent()) {
      sortPartitioned(run, buffers.partition().get(), sources);
    } else {
      sort(run, uploadAndCount(run, sources));
    }
  }

  /** Partitions items during the upload, and sorts the buckets if all are small enough. */
  private void sortPartitioned(
      Run run, IncrementalPartition.Buffers buffers, List<HostBytes> sources) {
    IncrementalPartition partition = new IncrementalPartition(buffers, run.slot(), run.items());
    double busBytesPerNs = upload(run, sources, partition);
    long[] histogram = partition.total();
    BucketSizes sizes = sizes(run.count());
    Optional<List<Bucket>> buckets =
        partition.buckets(
            histogram, sizes, tuning().buckets().maxCollectedExcess() * sizes.target());
    if (buckets.isPresent()) {
      streamBuckets(run, partition.collector(histogram), buckets.get(), busBytesPerNs);
    } else {
      run.storage().uploadHistogram(run.slot(), histogram);
      sort(run, busBytesPerNs);
    }
  }

  /** Uploads records and computes the histograms that passes need. Returns the bus rate. */
  private double uploadAndCount(Run run, List<HostBytes> sources) {
    SortTempStorage storage = run.storage();
    if (method.countsDuringUpload()) {
      storage.clearHistogram(run.slot());
      run.slot().stream().synchronize();
      long histogram = storage.histogram(run.slot());
      return upload(
          run, sources, (slot, items, count) -> kernels.histogram(slot, items, histogram, count));
    }
    double busBytesPerNs = upload(run, sources, UploadListener.NONE);
    if (method.steps().isEmpty()) {
      storage.count(run.slot(), run.items().current(), run.count());
    }
    return busBytesPerNs;
  }

  /** Uploads records. Returns the rate of the bus in bytes per nanosecond. */
  private double upload(Run run, List<HostBytes> sources, UploadListener listener) {
    long startNs = System.nanoTime();
    long pieceBytes = pieceBytes(sources);
    SortLayout layout = kernels.layout();
    UploadTarget target = new UploadTarget(run.items().current(), run.output().records(), 0);
    for (HostBytes source : sources) {
      gpu.jobs().run(new RecordUpload(source, kernels, target, listener, pieceBytes));
      target = target.after(source.byteSize() / layout.format().bytes(), layout);
    }
    return (double) run.target().byteSize() / Math.max(1, System.nanoTime() - startNs);
  }

  /** Sorts uploaded items, and downloads the output. */
  private void sort(Run run, double busBytesPerNs) {
    StreamSlot slot = run.slot();
    DoubleBuffer items = run.items();
    Partition partition = new Partition(run.storage(), sizes(run.count()));
    if (method.streamsBuckets()) {
      List<Bucket> buckets = partition.cut(slot, items, run.count());
      slot.stream().synchronize();
      BucketItems inPlace = new BucketItems.InPlace(items, kernels);
      streamBuckets(run, inPlace, buckets, busBytesPerNs);
      return;
    }
    if (method.steps().isPresent()) {
      run.storage().sortInSteps(gpu.modules(), slot, items, run.count());
    } else if (method.usesBuckets()) {
      partition.sort(slot, items, run.count());
    } else {
      try (StreamTrace.Open _ = slot.phase("sort", run.count() * kernels.layout().itemBytes())) {
        run.storage().sortCounted(slot, items, run.count());
      }
    }
    long plan = run.storage().plan(slot);
    if (run.output().isOfItems()) {
      run.output().write(slot, kernels, items, plan, run.count(), items.current());
    }
    slot.stream().synchronize();
    gpu.jobs().run(new RecordDownload(kernels, items, plan, run.output(), run.target()));
  }

  private BucketSizes sizes(long count) {
    return tuning().buckets().sizes(count, output.bytes());
  }

  private boolean compresses() {
    return method.compresses() && output.isOfItems() && kernels.layout().isKeyOnly();
  }

  private void streamBuckets(
      Run run, BucketItems items, List<Bucket> buckets, double busBytesPerNs) {
    if (compresses()) {
      CompressedDownload compressed =
          new CompressedDownload(
              kernels, items, buckets, run.output(), run.target(), decoder, busBytesPerNs);
      if (compressed.stagingBytes() <= maxDecodingBytes) {
        gpu.jobs().run(compressed);
        return;
      }
    }
    gpu.jobs().run(new BucketJob(kernels, items, buckets, run.output(), run.target()));
  }
}
