package io.fieldstone.cuda.sorting;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.concurrent.SpinThenPark;
import io.fieldstone.cuda.execution.ByteRange;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.StreamTrace;
import io.fieldstone.cuda.sorting.delta.DeltaDecoder;
import io.fieldstone.cuda.sorting.delta.DeltaKernel;
import io.fieldstone.cuda.transfer.HostBytes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sorts buckets of keys and downloads them compressed, where {@link DownloadPolicy} estimates that
 * the sort finishes earlier. The compressed size is known before the download is enqueued. The next
 * buckets are sorted and compressed meanwhile.
 *
 * <p>A bucket passes these states, in the slot that has it:
 *
 * <ol>
 *   <li>it is sorted and compressed: it is in {@link #packing};
 *   <li>it is downloaded, raw or compressed: its bytes are in {@link #inFlight};
 *   <li>a compressed one is decoded: it is in {@link #decodings}, from the start of its download
 *       until the slot downloads its next compressed bucket. The slot's staging memory is in use
 *       until then, or until the decoding is done.
 * </ol>
 *
 * <p>The memory of a slot has a header with the number of rows, the directory and the rows.
 */
final class CompressedDownload extends BucketJob {

  /** Minimum compression ratio. */
  private static final int MIN_RATIO = 2;

  private static final int HEADER_BYTES = DeltaKernel.ROW_BYTES;

  /** Bytes past the last row that decoders read and ignore. */
  private static final int PADDING_BYTES = 2 * DeltaKernel.ROW_BYTES;

  private final DeltaDecoder decoder;
  private final DownloadPolicy policy;

  /** Buckets whose download is not enqueued yet, the oldest first. */
  private final Deque<Packed> packing = new ArrayDeque<>();

  /** Enqueued downloads that may not have arrived, the oldest first. */
  private final Deque<Download> inFlight = new ArrayDeque<>();

  /** The last compressed bucket of each slot. */
  private final Map<StreamSlot, Decoding> decodings = new HashMap<>();

  /** The number of buckets that have not been finished. */
  private int unfinished;

  private long compressedOffset;
  private long stagingOffset;

  /** A bucket that is being sorted and compressed in a slot. */
  private record Packed(StreamSlot slot, Bucket bucket) {}

  /** Bytes that a slot downloads. */
  private record Download(StreamSlot slot, long bytes) {}

  /** A bucket that is downloaded compressed and decoded. */
  private record Decoding(Bucket bucket, DeltaDecoder.Pending keys) {}

  /**
   * Creates a download.
   *
   * @param busBytesPerNs measured rate of the bus
   */
  CompressedDownload(
      SortKernels kernels,
      BucketItems items,
      List<Bucket> buckets,
      SortOutput output,
      HostBytes target,
      DeltaDecoder decoder,
      double busBytesPerNs) {
    super(kernels, items, buckets, output, target);
    this.decoder = decoder;
    this.policy = new DownloadPolicy(busBytesPerNs, decoder.bytesPerNs());
  }

  @Override
  public int depth() {
    return kernels().tuning().buckets().compressedDepth();
  }

  @Override
  public void reserve(ScratchLayout scratch, List<Bucket> pieces) {
    super.reserve(scratch, pieces);
    unfinished = pieces.size();
    long maxBytes = maxKeyBytes();
    long directory = directoryBytes(maxBytes);
    compressedOffset =
        scratch.device(HEADER_BYTES + directory + blocks(maxBytes) * DeltaKernel.BLOCK_BYTES);
    stagingOffset = scratch.pinned(pinnedBytes(maxBytes));
  }

  /** Returns the bytes of pinned memory of all slots together. */
  long stagingBytes() {
    return depth() * pinnedBytes(maxKeyBytes());
  }

  /** Returns the maximum of {@link #paddedBytes} of all buckets. */
  private long maxKeyBytes() {
    return maxItems() * kernels().layout().itemBytes() + DeltaKernel.BLOCK_BYTES;
  }

  /** Returns the bytes of pinned memory of a slot. */
  private static long pinnedBytes(long maxBytes) {
    return HEADER_BYTES + maxCompressedBytes(maxBytes) + PADDING_BYTES;
  }

  private int itemBytes() {
    return kernels().layout().itemBytes();
  }

  /**
   * Returns the number of unused places at the start of a bucket's first block. They align the
   * other blocks with pages of the target, so that decoders write whole cache lines.
   */
  private int skippedKeys(Bucket bucket) {
    MemorySegment target = target(bucket);
    long inPage = target.isNative() ? target.address() % DeltaKernel.BLOCK_BYTES : 0;
    return Math.toIntExact(inPage / itemBytes());
  }

  private MemorySegment target(Bucket bucket) {
    ByteRange range = range(bucket);
    return target().hostMemory().orElseThrow().asSlice(range.offset(), range.bytes());
  }

  /** Returns the bytes of the keys of a bucket and of the unused places before them. */
  private long paddedBytes(Bucket bucket) {
    return (skippedKeys(bucket) + bucket.count()) * itemBytes();
  }

  private static long blocks(long bytes) {
    return Math.ceilDiv(bytes, DeltaKernel.BLOCK_BYTES);
  }

  private static long directoryBytes(long bytes) {
    long directory = blocks(bytes) * Long.BYTES;
    return Math.ceilDiv(directory, DeltaKernel.ROW_BYTES) * DeltaKernel.ROW_BYTES;
  }

  /** Returns the maximum bytes of directory and rows that are downloaded. */
  private static long maxCompressedBytes(long bytes) {
    return directoryBytes(bytes) + bytes / MIN_RATIO;
  }

  @Override
  public void enqueue(StreamSlot slot, Bucket bucket) {
    abandonOnFailure(() -> {
      inFlight.removeIf(download -> download.slot().equals(slot));
      sortAndCompress(slot, bucket);
      packing.add(new Packed(slot, bucket));
      enqueueDownloads();
    });
  }

  @Override
  public void finish(StreamSlot slot, Bucket bucket) {
    abandonOnFailure(() -> copyOut(slot, bucket));
  }

  /** Runs a step; if it fails, stops all decoding before the slots are released. */
  private void abandonOnFailure(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      decodings.values().forEach(decoding -> decoding.keys().abandon());
      throw e;
    }
  }

  private void awaitDecoding(StreamSlot slot) {
    Decoding decoding = decodings.remove(slot);
    if (decoding != null) {
      decoding.keys().await();
    }
  }

  private void awaitAllDecoding() {
    List.copyOf(decodings.keySet()).forEach(this::awaitDecoding);
  }

  private void sortAndCompress(StreamSlot slot, Bucket bucket) {
    sort(slot, bucket);
    long header = slot.device(compressedOffset);
    slot.stream().fill(header, 0, 2 * Long.BYTES);
    long directory = header + HEADER_BYTES;
    long rows = directory + directoryBytes(paddedBytes(bucket));
    long rowCount = slot.pinned(stagingOffset, Long.BYTES).address();
    SortKernels.Packing output =
        new SortKernels.Packing(rows, directory, header, rowCount, skippedKeys(bucket));
    DoubleBuffer items = items(slot, bucket);
    try (StreamTrace.Open _ = slot.phase("pack", range(bucket).bytes())) {
      kernels().pack(slot, items, plan(slot), output, bucket.count());
    }
    slot.mark();
  }

  private boolean isPacking(Bucket bucket) {
    return packing.stream().anyMatch(each -> each.bucket().equals(bucket));
  }

  /** Enqueues the downloads of all buckets that are compressed, without waiting. */
  private void enqueueDownloads() {
    for (Packed next = packing.peek(); next != null; next = packing.peek()) {
      if (!next.slot().isDone() || !enqueueDownload(next)) {
        return;
      }
      packing.remove();
    }
  }

  /**
   * Enqueues the download of a bucket. Postpones a compressed one while the slot's staging memory
   * is still being decoded, as long as other downloads occupy the bus; then it is downloaded raw.
   *
   * @return whether it is enqueued
   */
  private boolean enqueueDownload(Packed packed) {
    StreamSlot slot = packed.slot();
    Bucket bucket = packed.bucket();
    long bytes = directoryBytes(paddedBytes(bucket)) + rows(slot) * DeltaKernel.ROW_BYTES;
    boolean isCompressed = shouldCompress(bucket, bytes);
    boolean isBlocked = isDecoding(slot);
    if (isCompressed && isBlocked && inFlightBytes() > 0) {
      return false;
    }
    if (isCompressed && !isBlocked) {
      enqueueCompressed(slot, bucket, bytes);
    } else {
      enqueueDownload(slot, bucket);
      slot.mark();
      inFlight.add(new Download(slot, range(bucket).bytes()));
    }
    return true;
  }

  private boolean isDecoding(StreamSlot slot) {
    Decoding previous = decodings.get(slot);
    return previous != null && !previous.keys().isDone();
  }

  /** Returns the bytes of enqueued downloads that have not arrived. */
  private long inFlightBytes() {
    while (!inFlight.isEmpty() && inFlight.peek().slot().isDone()) {
      inFlight.remove();
    }
    return inFlight.stream().mapToLong(Download::bytes).sum();
  }

  private void enqueueCompressed(StreamSlot slot, Bucket bucket, long bytes) {
    awaitDecoding(slot);
    try (StreamTrace.Open _ = slot.phase("download", bytes)) {
      MemorySegment to = slot.pinned(stagingOffset + HEADER_BYTES, bytes);
      slot.stream().download(slot.device(compressedOffset) + HEADER_BYTES, to);
    }
    slot.mark();
    inFlight.add(new Download(slot, bytes));
    decodings.put(slot, new Decoding(bucket, decode(slot, bucket)));
  }

  /** Whether to compress a bucket; always if raw keys would be copied by the CPU anyway. */
  private boolean shouldCompress(Bucket bucket, long compressedBytes) {
    if (compressedBytes > maxCompressedBytes(paddedBytes(bucket))) {
      return false;
    }
    if (!target().isPinned()) {
      return true;
    }
    ByteRange range = range(bucket);
    long laterBytes = target().byteSize() - range.offset() - range.bytes();
    DownloadPolicy.Load load =
        new DownloadPolicy.Load(inFlightBytes(), decoder.backlogBytes(), laterBytes);
    return policy.shouldCompress(range.bytes(), compressedBytes, load);
  }

  private long rows(StreamSlot slot) {
    return slot.pinned(stagingOffset, Long.BYTES).get(JAVA_LONG, 0);
  }

  private void copyOut(StreamSlot slot, Bucket bucket) {
    while (isPacking(bucket) || !slot.isDone()) {
      enqueueDownloads();
      SpinThenPark.pause();
    }
    Decoding decoding = decodings.get(slot);
    if (decoding != null && decoding.bucket().equals(bucket)) {
      decoding.keys().signalArrival();
    } else {
      super.finish(slot, bucket);
    }
    unfinished--;
    if (unfinished == 0) {
      awaitAllDecoding();
    }
  }

  private DeltaDecoder.Pending decode(StreamSlot slot, Bucket bucket) {
    long directory = directoryBytes(paddedBytes(bucket));
    long rowBytes = rows(slot) * DeltaKernel.ROW_BYTES + PADDING_BYTES;
    return decoder.submit(
        slot::isDone,
        kernels().layout().keyCode(),
        itemBytes(),
        slot.pinned(stagingOffset + HEADER_BYTES, directory),
        slot.pinned(stagingOffset + HEADER_BYTES + directory, rowBytes),
        skippedKeys(bucket),
        target(bucket));
  }
}
