package io.fieldstone.cuda;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.concurrent.SpinThenPark;
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
final class PackedJob implements ByteJob<Bucket> {

  /**
   * Sorted ahead of what comes down, so that the bus never waits for a sort. More lanes would be
   * more memory to unpack from, and so less of it in the cores' cache.
   */
  private static final int DEPTH = 6;

  /** What is packed to less than this part comes down packed. */
  private static final int LEAST_SAVING = 2;

  private static final int HEADER = UnpackKernel.ROW_BYTES;

  /** Whoever unpacks reads, and ignores, up to two rows more. */
  private static final int MORE = 2 * UnpackKernel.ROW_BYTES;

  private final BucketJob plain;
  private final Unpacker unpacker;
  private final WaysHome ways;
  private final Deque<Sorted> unsent = new ArrayDeque<>();

  /** What may still be on its way, in order. */
  private final Deque<Sent> sent = new ArrayDeque<>();

  private final Map<Lane, Unpacking> pending = new HashMap<>();
  private int unfinished;
  private long room;
  private long pinned;

  /** A bucket that the GPU has been asked to sort and to pack. */
  private record Sorted(Lane lane, Bucket bucket) {}

  /** So many bytes that a lane has been asked to bring. */
  private record Sent(Lane lane, long bytes) {}

  /** A bucket that comes down packed. */
  private record Unpacking(Bucket bucket, Unpacker.Pending keys) {}

  /**
   * @param busSpeed bytes in a nanosecond
   */
  PackedJob(BucketJob plain, Unpacker unpacker, double busSpeed) {
    this.plain = plain;
    this.unpacker = unpacker;
    this.ways = new WaysHome(busSpeed, unpacker.speed());
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
    long most = mostBytes(plain);
    long directory = directoryBytes(most);
    room = workspace.device(HEADER + directory + blocks(most) * UnpackKernel.BLOCK_BYTES);
    pinned = workspace.pinned(pinnedBytes(most));
  }

  /** Bytes of this machine's memory, of all lanes together, that packed buckets come to. */
  static long unpackingBytes(BucketJob plain) {
    return DEPTH * pinnedBytes(mostBytes(plain));
  }

  /** Bytes of the keys of the largest bucket and of what may be before them. */
  private static long mostBytes(BucketJob plain) {
    return plain.most() * plain.kernels().layout().itemBytes() + UnpackKernel.BLOCK_BYTES;
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
    long inPage = home.isNative() ? home.address() % UnpackKernel.BLOCK_BYTES : 0;
    return Math.toIntExact(inPage / itemBytes());
  }

  private MemorySegment home(Bucket bucket) {
    Span span = plain.span(bucket);
    return plain.home().home().orElseThrow().asSlice(span.offset(), span.bytes());
  }

  /** Bytes of the keys of a bucket and of what is before them. */
  private long bytes(Bucket bucket) {
    return (before(bucket) + bucket.count()) * itemBytes();
  }

  private static long blocks(long bytes) {
    return Math.ceilDiv(bytes, UnpackKernel.BLOCK_BYTES);
  }

  private static long directoryBytes(long bytes) {
    long directory = blocks(bytes) * Long.BYTES;
    return Math.ceilDiv(directory, UnpackKernel.ROW_BYTES) * UnpackKernel.ROW_BYTES;
  }

  /** The most bytes of directory and rows that are sent. */
  private static long mostPacked(long bytes) {
    return directoryBytes(bytes) + bytes / LEAST_SAVING;
  }

  @Override
  public void begin(Lane lane, Bucket bucket) {
    orAbandon(() -> {
      sent.removeIf(some -> some.lane().equals(lane));
      sortAndPack(lane, bucket);
      unsent.add(new Sorted(lane, bucket));
      sendWhatIsSorted();
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
    long rows = directory + directoryBytes(bytes(bucket));
    long told = lane.pinned(pinned, Long.BYTES).address();
    SortKernels.Packing packing =
        new SortKernels.Packing(rows, directory, header, told, before(bucket));
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
    }
  }

  /**
   * Sends a bucket, unless what came down in its lane before has still to be unpacked from there
   * while the bus has something else to do.
   */
  private boolean send(Sorted sorted) {
    Lane lane = sorted.lane();
    Bucket bucket = sorted.bucket();
    long bytes = directoryBytes(bytes(bucket)) + rows(lane) * UnpackKernel.ROW_BYTES;
    boolean isWorthUnpacking = isWorthUnpacking(bucket, bytes);
    boolean isBlocked = isBeingUnpacked(lane);
    if (isWorthUnpacking && isBlocked && isBusBusy()) {
      return false;
    }
    if (isWorthUnpacking && !isBlocked) {
      sendPacked(lane, bucket, bytes);
    } else {
      plain.send(lane, bucket);
      lane.mark();
      sent.add(new Sent(lane, plain.span(bucket).bytes()));
    }
    return true;
  }

  private boolean isBeingUnpacked(Lane lane) {
    Unpacking before = pending.get(lane);
    return before != null && !before.keys().isDone();
  }

  private boolean isBusBusy() {
    return onTheWay() > 0;
  }

  /** Bytes on their way. */
  private long onTheWay() {
    while (!sent.isEmpty() && sent.peek().lane().isDone()) {
      sent.remove();
    }
    return sent.stream().mapToLong(Sent::bytes).sum();
  }

  private void sendPacked(Lane lane, Bucket bucket, long bytes) {
    settle(lane);
    try (LanePhases.Open _ = lane.phase("download", bytes)) {
      MemorySegment to = lane.pinned(pinned + HEADER, bytes);
      lane.stream().download(lane.device(room) + HEADER, to);
    }
    lane.mark();
    sent.add(new Sent(lane, bytes));
    pending.put(lane, new Unpacking(bucket, unpack(lane, bucket)));
  }

  /** Where cores would have to copy what comes down as it is, they may as well unpack. */
  private boolean isWorthUnpacking(Bucket bucket, long packed) {
    if (packed > mostPacked(bytes(bucket))) {
      return false;
    }
    Span span = plain.span(bucket);
    long after = plain.home().byteSize() - span.offset() - span.bytes();
    WaysHome.Load load = new WaysHome.Load(onTheWay(), unpacker.backlog(), after);
    return !plain.home().isDirect() || ways.isSoonerPacked(span.bytes(), packed, load);
  }

  private long rows(Lane lane) {
    return lane.pinned(pinned, Long.BYTES).get(JAVA_LONG, 0);
  }

  private void bringHome(Lane lane, Bucket bucket) {
    while (isUnsent(bucket) || !lane.isDone()) {
      sendWhatIsSorted();
      SpinThenPark.pause();
    }
    Unpacking unpacking = pending.get(lane);
    if (unpacking != null && unpacking.bucket().equals(bucket)) {
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
    long directory = directoryBytes(bytes(bucket));
    long rowBytes = rows(lane) * UnpackKernel.ROW_BYTES + MORE;
    return unpacker.begin(
        lane::isDone,
        plain.kernels().layout().keyCode(),
        itemBytes(),
        lane.pinned(pinned + HEADER, directory),
        lane.pinned(pinned + HEADER + directory, rowBytes),
        before(bucket),
        home(bucket));
  }
}
