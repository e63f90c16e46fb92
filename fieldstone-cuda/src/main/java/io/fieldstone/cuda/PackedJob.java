package io.fieldstone.cuda;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sorts buckets of keys and brings them home packed, where that is sooner: how small a bucket has
 * become is known before it is sent. Keys of the next buckets are sorted and packed meanwhile.
 *
 * <p>In a lane's memory stand the number of rows, where blocks begin, and the rows.
 */
final class PackedJob implements ByteJob<Bucket> {

  /**
   * Sorted ahead of what comes down, so that the bus never waits for a sort. More lanes would be
   * more memory to unpack from, and so less of it in the cores' cache.
   */
  private static final int DEPTH = 6;

  private static final int BEGUN_BEFORE = 3;

  /**
   * Bytes of keys that come down or are unpacked at a time: some that the cores are at, and some
   * that they find there when they are done. What they do not keep up with comes down as it is,
   * meanwhile.
   */
  private static final long MOST_EXPECTED = 96L << 20;

  /** Of large buckets: some that the cores are at, and some that come. */
  private static final int BUCKETS_EXPECTED = 4;

  /** While the bus brings home a byte as it is, the cores unpack so many. */
  private static final int CORES_TO_BUS = 2;

  /** What is packed to less than this part comes down packed. */
  private static final int LEAST_SAVING = 2;

  private static final int HEADER = SortKernels.ROW_BYTES;

  /** Whoever unpacks reads, and ignores, up to two rows more. */
  private static final int MORE = 2 * SortKernels.ROW_BYTES;

  private final BucketJob plain;
  private final Unpacker unpacker;
  private final Deque<Sorted> unsent = new ArrayDeque<>();
  private final Map<Lane, Unpacking> pending = new HashMap<>();
  private Optional<Lane> lastSent = Optional.empty();
  private int unfinished;
  private long room;
  private long pinned;

  /** A bucket that the GPU has been asked to sort and to pack. */
  private record Sorted(Lane lane, Bucket bucket) {}

  /** A bucket that comes down packed. */
  private record Unpacking(Bucket bucket, Unpacker.Pending keys) {}

  PackedJob(BucketJob plain, Unpacker unpacker) {
    this.plain = plain;
    this.unpacker = unpacker;
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
  public List<Bucket> cut(long most) {
    return plain.cut(most);
  }

  @Override
  public void reserve(Workspace workspace, List<Bucket> pieces) {
    plain.reserve(workspace, pieces);
    unfinished = pieces.size();
    long directory = directoryBytes(plain.most());
    long blocks = blocks(plain.most());
    room = workspace.device(HEADER + directory + blocks * SortKernels.BLOCK_BYTES);
    pinned = workspace.pinned(HEADER + mostPacked(plain.most()) + MORE);
  }

  private long blocks(long keys) {
    return Math.ceilDiv(keys * plain.kernels().layout().itemBytes(), SortKernels.BLOCK_BYTES);
  }

  private long directoryBytes(long keys) {
    long bytes = blocks(keys) * Long.BYTES;
    return Math.ceilDiv(bytes, SortKernels.ROW_BYTES) * SortKernels.ROW_BYTES;
  }

  /** The most bytes of directory and rows that are sent. */
  private long mostPacked(long keys) {
    return directoryBytes(keys) + keys * plain.kernels().layout().itemBytes() / LEAST_SAVING;
  }

  @Override
  public int begunBefore() {
    return BEGUN_BEFORE;
  }

  @Override
  public void begin(Lane lane, Bucket bucket) {
    orAbandon(() -> {
      lastSent = lastSent.filter(sent -> !sent.equals(lane));
      sortAndPack(lane, bucket);
      unsent.add(new Sorted(lane, bucket));
      sendWhatIsSorted();
    });
  }

  @Override
  public void proceed(Lane lane, Bucket bucket) {
    orAbandon(() -> {
      if (isUnsent(bucket)) {
        lane.await();
        sendWhatIsSorted();
      }
    });
  }

  @Override
  public void finish(Lane lane, Bucket bucket) {
    orAbandon(() -> bringHome(lane, bucket));
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

  private void settle(Lane lane) {
    Unpacking unpacking = pending.remove(lane);
    if (unpacking != null) {
      unpacking.keys().await();
    }
  }

  private void settleAll() {
    List.copyOf(pending.keySet()).forEach(this::settle);
  }

  private void sortAndPack(Lane lane, Bucket bucket) {
    plain.sort(lane, bucket);
    long header = lane.device(room);
    lane.stream().fill(header, 0, 2 * Long.BYTES);
    long directory = header + HEADER;
    long rows = directory + directoryBytes(bucket.count());
    long told = lane.pinned(pinned, Long.BYTES).address();
    SortKernels.Packing packing = new SortKernels.Packing(rows, directory, header, told);
    SortItems items = plain.items(lane, bucket);
    try (LanePhases.Open _ = lane.phase("pack", plain.span(bucket).bytes())) {
      plain.kernels().pack(lane, items, plain.plan(lane), packing, bucket.count());
    }
    lane.mark();
  }

  private boolean isUnsent(Bucket bucket) {
    return unsent.stream().anyMatch(sorted -> sorted.bucket().equals(bucket));
  }

  /** Without waiting. */
  private void sendWhatIsSorted() {
    for (Sorted next = unsent.peek(); next != null; next = unsent.peek()) {
      if (!next.lane().isDone() || !send(next)) {
        return;
      }
      unsent.remove();
      lastSent = Optional.of(next.lane());
    }
  }

  /**
   * Sends a bucket, unless what came down in its lane before has still to be unpacked from there
   * while the bus has something else to do.
   */
  private boolean send(Sorted sorted) {
    Lane lane = sorted.lane();
    Bucket bucket = sorted.bucket();
    long bytes = directoryBytes(bucket.count()) + rows(lane) * SortKernels.ROW_BYTES;
    boolean isWorthUnpacking = bytes <= mostPacked(bucket.count()) && coresKeepUp(bucket);
    boolean isBlocked = isBeingUnpacked(lane);
    if (isWorthUnpacking && isBlocked && isBusBusy()) {
      return false;
    }
    if (isWorthUnpacking && !isBlocked) {
      sendPacked(lane, bucket, bytes);
    } else {
      plain.send(lane, bucket);
      lane.mark();
    }
    return true;
  }

  private boolean isBeingUnpacked(Lane lane) {
    Unpacking before = pending.get(lane);
    return before != null && !before.keys().isDone();
  }

  private boolean isBusBusy() {
    return lastSent.isPresent() && !lastSent.get().isDone();
  }

  private void sendPacked(Lane lane, Bucket bucket, long bytes) {
    settle(lane);
    try (LanePhases.Open _ = lane.phase("download", bytes)) {
      MemorySegment to = lane.pinned(pinned + HEADER, bytes);
      lane.stream().download(lane.device(room) + HEADER, to);
    }
    lane.mark();
    pending.put(lane, new Unpacking(bucket, unpack(lane, bucket)));
  }

  /**
   * Whether the cores will be done with what they have before they stand idle, and, at the end,
   * before the bus does. Where they would have to copy what comes down as it is, they may as well
   * unpack.
   */
  private boolean coresKeepUp(Bucket bucket) {
    if (!plain.home().isDirect()) {
      return true;
    }
    Span span = plain.span(bucket);
    long after = plain.home().byteSize() - span.offset() - span.bytes();
    long most = Math.max(MOST_EXPECTED, BUCKETS_EXPECTED * plain.pieceBytes());
    return unpacker.backlog() < Math.min(most, CORES_TO_BUS * after - span.bytes());
  }

  private long rows(Lane lane) {
    return lane.pinned(pinned, Long.BYTES).get(JAVA_LONG, 0);
  }

  private void bringHome(Lane lane, Bucket bucket) {
    while (isUnsent(bucket)) {
      sendWhatIsSorted();
      Lane.pause();
    }
    Unpacking unpacking = pending.get(lane);
    if (unpacking != null && unpacking.bucket().equals(bucket)) {
      lane.await();
      unpacking.keys().arrived();
    } else {
      plain.finish(lane, bucket);
    }
    unfinished--;
    if (unfinished == 0) {
      settleAll();
    }
  }

  private Unpacker.Pending unpack(Lane lane, Bucket bucket) {
    long directory = directoryBytes(bucket.count());
    long rowBytes = rows(lane) * SortKernels.ROW_BYTES + MORE;
    Span span = plain.span(bucket);
    MemorySegment home = plain.home().home().orElseThrow();
    return unpacker.begin(
        lane::isDone,
        plain.kernels().layout(),
        lane.pinned(pinned + HEADER, directory),
        lane.pinned(pinned + HEADER + directory, rowBytes),
        bucket.count(),
        home.asSlice(span.offset(), span.bytes()));
  }
}
