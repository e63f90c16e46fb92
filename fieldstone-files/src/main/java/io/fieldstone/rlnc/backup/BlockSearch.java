package io.fieldstone.rlnc.backup;

import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.SetManifest;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.stream.Pipeline;
import io.fieldstone.stream.Stage;
import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Searches the files of a set, and those of further folders, for lost source blocks at other
 * places. Those that are equal to an intact block have its place. Others are where inserted and
 * removed bytes left them: it compares the CRC-32 of k bytes at every position with those of the
 * lost blocks, and where one is equal, the hash. A block that is found is followed by the next one,
 * usually.
 *
 * <p>Only bytes that belong to no intact block are searched, once. At most as many bytes again are
 * hashed in vain; then the search ends. Source: A. Tridgell, "Efficient Algorithms for Sorting and
 * Synchronization", Sec. 3.2, describes such a search with another checksum.
 */
final class BlockSearch {

  /** The bytes that a thread searches at a time. */
  private static final long STRETCH_BYTES = 1L << 24;

  /** The bytes that a thread reads at a time, besides a block. */
  private static final int READ_BYTES = 1 << 20;

  /** The bytes that may be hashed in vain, besides as many as are searched. */
  private static final long VAIN_BYTES = 1L << 26;

  /** The bits of the filter for each lost block, at least. */
  private static final int FILTER_BITS = 32;

  private static final int NONE = -1;

  /** Positions {@code from} … {@code to − 1} of a file. */
  private record Stretch(int file, long from, long to) {}

  private final DamageScan scan;
  private final SetManifest manifest;
  private final int blockSize;
  private final List<Stretch> stretches = new ArrayList<>();
  private final RollingCrc rolling;

  /**
   * The lost source blocks without those that are equal to an intact one or to an earlier one: the
   * CRC-32 in the upper half, the number of the block in the lower; ascending.
   */
  private final long[] sought;

  /** The places in {@link #sought} at which the upper bits of a checksum begin, and their end. */
  private final int[] places;

  /** The shift that leaves the upper bits. */
  private final int placeShift;

  /** The low bits of the checksums of lost blocks, as a set. */
  private final long[] filter;

  private final int filterMask;
  private final MovedBlocks found;
  private final AtomicLong vainBytes;
  private int claimed;

  private BlockSearch(DamageScan scan) {
    this.scan = scan;
    this.manifest = scan.folder().manifest();
    this.blockSize = manifest.shape().blockSize();
    this.rolling = new RollingCrc(blockSize);
    this.found = new MovedBlocks(scan.blocks().count());
    this.sought = sought();
    int powerOfTwo = Math.max(Long.SIZE, Integer.highestOneBit(sought.length) * 2);
    this.filterMask = powerOfTwo * FILTER_BITS - 1;
    this.filter = new long[powerOfTwo * FILTER_BITS / Long.SIZE];
    this.placeShift = Integer.numberOfLeadingZeros(powerOfTwo) + 1;
    this.places = new int[powerOfTwo + 1];
    for (long one : sought) {
      int crc = (int) (one >>> Integer.SIZE);
      filter[(crc & filterMask) >>> 6] |= 1L << crc;
      places[place(crc) + 1]++;
    }
    for (int place = 1; place < places.length; place++) {
      places[place] += places[place - 1];
    }
    long bytes = 0;
    if (sought.length > 0) {
      for (int file = 0; file < manifest.files().size(); file++) {
        bytes += addStretches(file);
      }
      for (int file : scan.otherFiles().toArray()) {
        bytes += addStretches(file, 0, scan.foundBytes(file));
      }
    }
    this.vainBytes = new AtomicLong(VAIN_BYTES + bytes);
  }

  /** Adds the bytes of a file that belong to no intact block; returns their number. */
  private long addStretches(int file) {
    long bytes = 0;
    long from = 0;
    for (int block = scan.blocks().firstOf(file);
        block < scan.blocks().firstOf(file + 1);
        block++) {
      if (!scan.isLost(block)) {
        long at = scan.blocks().offsetOf(block);
        bytes += addStretches(file, from, at);
        from = at + bytesOf(block);
      }
    }
    return bytes + addStretches(file, from, scan.foundBytes(file));
  }

  private long addStretches(int file, long from, long to) {
    for (long at = from; at < to; at += STRETCH_BYTES) {
      stretches.add(new Stretch(file, at, Math.min(to, at + STRETCH_BYTES)));
    }
    return Math.max(0, to - from);
  }

  /** Returns the blocks to search. Gives those that are equal to an intact one its place. */
  private long[] sought() {
    long[] all = new long[scan.blocks().count()];
    for (int block = 0; block < all.length; block++) {
      all[block] = Integer.toUnsignedLong(manifest.sum(block)) << Integer.SIZE | block;
    }
    Arrays.sort(all);
    int kept = 0;
    int end;
    Map<Sha256, Integer> intact = new HashMap<>();
    Set<Sha256> others = new HashSet<>();
    for (int from = 0; from < all.length; from = end) {
      end = from + 1;
      while (end < all.length && all[end] >>> Integer.SIZE == all[from] >>> Integer.SIZE) {
        end++;
      }
      // The blocks with one checksum.
      intact.clear();
      others.clear();
      for (int i = from; i < end; i++) {
        if (!scan.isLost((int) all[i])) {
          intact.merge(manifest.mark((int) all[i]), (int) all[i], this::longer);
        }
      }
      for (int i = from; i < end; i++) {
        int block = (int) all[i];
        if (scan.isLost(block)) {
          Sha256 hash = manifest.mark(block);
          int equal = intact.getOrDefault(hash, NONE);
          if (equal != NONE && bytesOf(equal) >= bytesOf(block)) {
            found.addEqual(block, scan.blocks().fileOf(equal), scan.blocks().offsetOf(equal));
          } else if (others.add(hash)) {
            all[kept++] = all[i];
          }
        }
      }
    }
    return Arrays.copyOf(all, kept);
  }

  private int longer(int block, int other) {
    return bytesOf(other) > bytesOf(block) ? other : block;
  }

  /** Returns the bytes of a block in its file. Two with the same k bytes may end with zeros. */
  private int bytesOf(int block) {
    return scan.blocks().bytesOf(block);
  }

  /** Returns the sought block with the content of a block, or none. */
  private int equal(int block) {
    Sha256 hash = manifest.mark(block);
    int sum = manifest.sum(block);
    for (int i = endOf(sum) - 1; i >= 0 && (int) (sought[i] >>> Integer.SIZE) == sum; i--) {
      if (manifest.mark((int) sought[i]).equals(hash)) {
        return (int) sought[i];
      }
    }
    return NONE;
  }

  /**
   * Searches for the lost source blocks of a scan.
   *
   * @param threads the number of threads, ≥ 1
   */
  static MovedBlocks of(DamageScan scan, int threads) throws IOException, InterruptedException {
    BlockSearch search = new BlockSearch(scan);
    List<Slot> slots = new ArrayList<>();
    try {
      for (int thread = 0; thread < Math.min(threads, search.stretches.size()); thread++) {
        slots.add(search.new Slot());
      }
      if (!slots.isEmpty()) {
        new Pipeline<Slot, IOException>("search", slots)
            .inOrder("claim", search::claim)
            .anyOrder("search", Slot::search)
            .run();
      }
    } finally {
      for (Slot slot : slots) {
        slot.file.close();
      }
    }
    search.addEqualBlocks();
    return search.found;
  }

  private boolean mayBeSought(int crc) {
    return (filter[(crc & filterMask) >>> 6] & 1L << crc) != 0;
  }

  /** Returns the upper bits of a checksum, whose order is that of {@link #sought}. */
  private int place(int crc) {
    return (crc ^ Integer.MIN_VALUE) >>> placeShift;
  }

  /** Returns the end of the sought blocks with a checksum, or 0. */
  private int endOf(int crc) {
    int first = places[place(crc)];
    int end = places[place(crc) + 1];
    while (end > first && (int) (sought[end - 1] >>> Integer.SIZE) != crc) {
      end--;
    }
    return end > first ? end : 0;
  }

  private long claim(Slot slot) {
    if (claimed == stretches.size() || vainBytes.get() < 0) {
      return Stage.END;
    }
    slot.stretch = stretches.get(claimed++);
    return 0;
  }

  /** Gives lost blocks that are equal to a found one its place. */
  private void addEqualBlocks() {
    for (int block = 0; block < scan.blocks().count(); block++) {
      if (scan.isLost(block) && !found.has(block)) {
        int equal = equal(block);
        if (equal != NONE && found.has(equal)) {
          found.add(block, found.fileOf(equal), found.offsetOf(equal));
        }
      }
    }
  }

  /** A thread's memory, and the file that it read last. */
  private final class Slot {
    private final HashTree tree = new HashTree();
    private final KeptFile file = new KeptFile(OpenFile::read);
    private final byte[] bytes = new byte[READ_BYTES + blockSize + 1];
    private final MemorySegment memory = MemorySegment.ofArray(bytes);
    private final MemorySegment padded = MemorySegment.ofArray(new byte[blockSize]);
    private Stretch stretch = new Stretch(0, 0, 0);

    /** The offset in the file of the first byte in memory. */
    private long start;

    long search() throws IOException {
      long at = stretch.from;
      start = at;
      read();
      int crc = 0;
      boolean isKnown = false;
      int next = NONE;
      while (at < stretch.to && vainBytes.get() >= 0) {
        if (at - start >= READ_BYTES) {
          start = at;
          read();
        }
        int i = (int) (at - start);
        if (!isKnown) {
          crc = RollingCrc.of(memory.asSlice(i, blockSize));
        }
        int block = blockAt(i, crc, next);
        if (block != NONE) {
          found.add(block, stretch.file, at);
          at += bytesOf(block);
          isKnown = false;
          next = block + 1;
        } else {
          int end = (int) Math.min(READ_BYTES, stretch.to - start);
          do {
            crc = rolling.moved(crc, bytes[i], bytes[i + blockSize]);
            i++;
          } while (i < end && !mayBeSought(crc));
          at = start + i;
          isKnown = true;
          next = NONE;
        }
      }
      return stretch.to - stretch.from;
    }

    /** Reads from the start on. Bytes after the end of the file, and unreadable ones, are zeros. */
    private void read() throws IOException {
      long count = 0;
      try {
        count = file.of(scan.pathOf(stretch.file)).read(memory, start);
      } catch (ClosedChannelException e) {
        throw e;
      } catch (IOException _) {
        // What cannot be read has no blocks.
      }
      memory.asSlice(count).fill((byte) 0);
    }

    /**
     * Returns the sought block at a position.
     *
     * @param i the position in memory
     * @param crc the CRC-32 of k bytes there
     * @param next the block that is expected, or none
     */
    private int blockAt(int i, int crc, int next) {
      boolean isExpected = next != NONE && next < scan.blocks().count() && scan.isLost(next);
      int stored = isExpected ? bytesOf(next) : blockSize;
      if (stored < blockSize) {
        // The last block of a file, which bytes of others may follow.
        padded.fill((byte) 0).copyFrom(memory.asSlice(i, stored));
        if (manifest.isPiece(next, tree.leaf(padded))) {
          return next;
        }
      }
      int end = mayBeSought(crc) ? endOf(crc) : 0;
      if (end == 0) {
        return NONE;
      }
      Sha256 hash = tree.leaf(memory.asSlice(i, blockSize));
      if (isExpected && manifest.isPiece(next, hash)) {
        return next;
      }
      for (int k = end - 1; k >= 0 && (int) (sought[k] >>> Integer.SIZE) == crc; k--) {
        if (manifest.isPiece((int) sought[k], hash)) {
          return (int) sought[k];
        }
      }
      vainBytes.addAndGet(-blockSize);
      return NONE;
    }
  }
}
