package io.fieldstone.cuda.sorting;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.concurrent.SpinThenPark;
import io.fieldstone.cuda.execution.ByteRange;
import io.fieldstone.cuda.execution.PieceJob;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.StreamTrace;
import io.fieldstone.cuda.sorting.delta.DeltaDecoder;
import io.fieldstone.cuda.sorting.delta.DeltaKernel;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sorts buckets of keys and brings them home packed, where that is sooner: how small a bucket has
 * become is known before it is sent. Keys of the next buckets are sorted and packed meanwhile.
 *
 * <p>In a lane's memory stand the number of rows, where blocks begin, and the rows.
 */
final class CompressedDownload implements PieceJob<Bucket> {

  /**
   * Sorted ahead of what comes down, so that the bus never waits for a sort. More lanes would be
   * more memory to unpack from, and so less of it in the cores' cache.
   */
  private static final int DEPTH = 6;

  /** What is packed to less than this part comes down packed. */
  private static final int MIN_SAVING = 2;

  private static final int HEADER = DeltaKernel.ROW_BYTES;

  /** Whoever unpacks reads, and ignores, up to two rows more. */
  private static final int MORE = 2 * DeltaKernel.ROW_BYTES;

  private final BucketJob plain;
  private final DeltaDecoder unpacker;
  private final DownloadPolicy ways;
  private final Deque<Sorted> unsent = new ArrayDeque<>();

  /** What may still be on its way, in order. */
  private final Deque<Sent> sent = new ArrayDeque<>();

  private final Map<StreamSlot, Unpacking> pending = new HashMap<>();
  private int unfinished;
  private long room;
  private long pinned;

  /** A bucket that the GPU has been asked to sort and to pack. */
  private record Sorted(StreamSlot slot, Bucket bucket) {}

  /** So many bytes that a lane has been asked to bring. */
  private record Sent(StreamSlot slot, long bytes) {}

  /** A bucket that comes down packed. */
  private record Unpacking(Bucket bucket, DeltaDecoder.Pending keys) {}

  /**
   * @param busSpeed bytes in a nanosecond
   */
  CompressedDownload(BucketJob plain, DeltaDecoder unpacker, double busSpeed) {
    this.plain = plain;
    this.unpacker = unpacker;
    this.ways = new DownloadPolicy(busSpeed, unpacker.speed());
  }

  @Override
  public long pieceBytes() {
    return plain.pieceBytes();
  }

  @Override
  public int depth() {
    return DEPTH;
  }

  @Override
  public List<Bucket> split(long most) {
    return plain.split(most);
  }

  @Override
  public void reserve(ScratchLayout scratch, List<Bucket> pieces) {
    plain.reserve(scratch, pieces);
    unfinished = pieces.size();
    long most = mostBytes(plain);
    long directory = directoryBytes(most);
    room = scratch.device(HEADER + directory + blocks(most) * DeltaKernel.BLOCK_BYTES);
    pinned = scratch.pinned(pinnedBytes(most));
  }

  /** Bytes of this machine's memory, of all lanes together, that packed buckets come to. */
  static long unpackingBytes(BucketJob plain) {
    return DEPTH * pinnedBytes(mostBytes(plain));
  }

  /** Bytes of the keys of the largest bucket and of what may be before them. */
  private static long mostBytes(BucketJob plain) {
    return plain.most() * plain.kernels().layout().itemBytes() + DeltaKernel.BLOCK_BYTES;
  }

  /** Of a lane. */
  private static long pinnedBytes(long most) {
    return HEADER + mostPacked(most) + MORE;
  }

  private int itemBytes() {
    return plain.kernels().layout().itemBytes();
  }

  /**
   * Places of the first block that no keys of a bucket are for, so that the others begin where
   * pages do at home: who writes whole lines past the caches should not meet halves of them.
   */
  private int before(Bucket bucket) {
    MemorySegment home = home(bucket);
    long inPage = home.isNative() ? home.address() % DeltaKernel.BLOCK_BYTES : 0;
    return Math.toIntExact(inPage / itemBytes());
  }

  private MemorySegment home(Bucket bucket) {
    ByteRange range = plain.span(bucket);
    return plain.home().hostMemory().orElseThrow().asSlice(range.offset(), range.bytes());
  }

  /** Bytes of the keys of a bucket and of what is before them. */
  private long bytes(Bucket bucket) {
    return (before(bucket) + bucket.count()) * itemBytes();
  }

  private static long blocks(long bytes) {
    return Math.ceilDiv(bytes, DeltaKernel.BLOCK_BYTES);
  }

  private static long directoryBytes(long bytes) {
    long directory = blocks(bytes) * Long.BYTES;
    return Math.ceilDiv(directory, DeltaKernel.ROW_BYTES) * DeltaKernel.ROW_BYTES;
  }

  /** The most bytes of directory and rows that are sent. */
  private static long mostPacked(long bytes) {
    return directoryBytes(bytes) + bytes / MIN_SAVING;
  }

  @Override
  public void enqueue(StreamSlot slot, Bucket bucket) {
    orAbandon(() -> {
      sent.removeIf(some -> some.slot().equals(slot));
      sortAndPack(slot, bucket);
      unsent.add(new Sorted(slot, bucket));
      sendWhatIsSorted();
    });
  }

  @Override
  public void finish(StreamSlot slot, Bucket bucket) {
    orAbandon(() -> copyOut(slot, bucket));
  }

  /** If a step fails, nothing is unpacked any more when the lanes are given back. */
  private void orAbandon(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      pending.values().forEach(unpacking -> unpacking.keys().abandon());
      throw e;
    }
  }

  private void settle(StreamSlot slot) {
    Unpacking unpacking = pending.remove(slot);
    if (unpacking != null) {
      unpacking.keys().await();
    }
  }

  private void settleAll() {
    List.copyOf(pending.keySet()).forEach(this::settle);
  }

  private void sortAndPack(StreamSlot slot, Bucket bucket) {
    plain.sort(slot, bucket);
    long header = slot.device(room);
    slot.stream().fill(header, 0, 2 * Long.BYTES);
    long directory = header + HEADER;
    long rows = directory + directoryBytes(bytes(bucket));
    long told = slot.pinned(pinned, Long.BYTES).address();
    SortKernels.Packing packing =
        new SortKernels.Packing(rows, directory, header, told, before(bucket));
    DoubleBuffer items = plain.items(slot, bucket);
    try (StreamTrace.Open _ = slot.phase("pack", plain.span(bucket).bytes())) {
      plain.kernels().pack(slot, items, plain.plan(slot), packing, bucket.count());
    }
    slot.mark();
  }

  private boolean isUnsent(Bucket bucket) {
    return unsent.stream().anyMatch(sorted -> sorted.bucket().equals(bucket));
  }

  /** Without waiting. */
  private void sendWhatIsSorted() {
    for (Sorted next = unsent.peek(); next != null; next = unsent.peek()) {
      if (!next.slot().isDone() || !send(next)) {
        return;
      }
      unsent.remove();
    }
  }

  /**
   * Sends a bucket, unless what came down in its lane before has still to be unpacked from there
   * while the bus has something else to do.
   */
  private boolean send(Sorted sorted) {
    StreamSlot slot = sorted.slot();
    Bucket bucket = sorted.bucket();
    long bytes = directoryBytes(bytes(bucket)) + rows(slot) * DeltaKernel.ROW_BYTES;
    boolean isWorthUnpacking = isWorthUnpacking(bucket, bytes);
    boolean isBlocked = isBeingUnpacked(slot);
    if (isWorthUnpacking && isBlocked && isBusBusy()) {
      return false;
    }
    if (isWorthUnpacking && !isBlocked) {
      sendPacked(slot, bucket, bytes);
    } else {
      plain.send(slot, bucket);
      slot.mark();
      sent.add(new Sent(slot, plain.span(bucket).bytes()));
    }
    return true;
  }

  private boolean isBeingUnpacked(StreamSlot slot) {
    Unpacking before = pending.get(slot);
    return before != null && !before.keys().isDone();
  }

  private boolean isBusBusy() {
    return onTheWay() > 0;
  }

  /** Bytes on their way. */
  private long onTheWay() {
    while (!sent.isEmpty() && sent.peek().slot().isDone()) {
      sent.remove();
    }
    return sent.stream().mapToLong(Sent::bytes).sum();
  }

  private void sendPacked(StreamSlot slot, Bucket bucket, long bytes) {
    settle(slot);
    try (StreamTrace.Open _ = slot.phase("download", bytes)) {
      MemorySegment to = slot.pinned(pinned + HEADER, bytes);
      slot.stream().download(slot.device(room) + HEADER, to);
    }
    slot.mark();
    sent.add(new Sent(slot, bytes));
    pending.put(slot, new Unpacking(bucket, unpack(slot, bucket)));
  }

  /** Where cores would have to copy what comes down as it is, they may as well unpack. */
  private boolean isWorthUnpacking(Bucket bucket, long packed) {
    if (packed > mostPacked(bytes(bucket))) {
      return false;
    }
    ByteRange range = plain.span(bucket);
    long after = plain.home().byteSize() - range.offset() - range.bytes();
    DownloadPolicy.Load load = new DownloadPolicy.Load(onTheWay(), unpacker.backlog(), after);
    return !plain.home().isPinned() || ways.shouldCompress(range.bytes(), packed, load);
  }

  private long rows(StreamSlot slot) {
    return slot.pinned(pinned, Long.BYTES).get(JAVA_LONG, 0);
  }

  private void copyOut(StreamSlot slot, Bucket bucket) {
    while (isUnsent(bucket) || !slot.isDone()) {
      sendWhatIsSorted();
      SpinThenPark.pause();
    }
    Unpacking unpacking = pending.get(slot);
    if (unpacking != null && unpacking.bucket().equals(bucket)) {
      unpacking.keys().arrived();
    } else {
      plain.finish(slot, bucket);
    }
    unfinished--;
    if (unfinished == 0) {
      settleAll();
    }
  }

  private DeltaDecoder.Pending unpack(StreamSlot slot, Bucket bucket) {
    long directory = directoryBytes(bytes(bucket));
    long rowBytes = rows(slot) * DeltaKernel.ROW_BYTES + MORE;
    return unpacker.begin(
        slot::isDone,
        plain.kernels().layout().keyCode(),
        itemBytes(),
        slot.pinned(pinned + HEADER, directory),
        slot.pinned(pinned + HEADER + directory, rowBytes),
        before(bucket),
        home(bucket));
  }
}
