package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.wire.ObjectDescriptor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The shards of one object, open for reading. A shard with a damaged header is used if another
 * shard has a valid one and its records belong to that object; other files are left out.
 */
final class ShardSet implements AutoCloseable {

  /** The total bytes of read buffers of all shards. */
  private static final long WINDOW_BYTES = 32L << 20;

  /** The maximum bytes of the read buffer of one shard. */
  private static final long MAX_WINDOW_BYTES = 2L << 20;

  /** The maximum total bytes of read buffers of shards that are read in several runs. */
  private static final long MAX_RUN_BYTES = 256L << 20;

  private final List<ShardFile> shards;
  private final List<LeftOutShard> leftOut;
  private final ObjectDescriptor descriptor;

  /** Whether shards have been divided into ascending runs. */
  private boolean isDivided;

  private ShardSet(
      List<ShardFile> shards, List<LeftOutShard> leftOut, ObjectDescriptor descriptor) {
    this.shards = List.copyOf(shards);
    this.leftOut = List.copyOf(leftOut);
    this.descriptor = descriptor;
  }

  /**
   * Opens shards.
   *
   * @throws MalformedShardException if no shard has a valid header; the others are suppressed
   *     exceptions of the first
   * @throws MixedShardsException if the shards belong to different objects or versions
   * @throws IllegalArgumentException if the list is empty
   */
  static ShardSet open(List<Path> paths) throws IOException {
    if (paths.isEmpty()) {
      throw new IllegalArgumentException("0 shards are less than 1");
    }
    List<ShardFile> shards = new ArrayList<>();
    try {
      return open(paths, shards);
    } catch (IOException e) {
      close(shards);
      throw e;
    }
  }

  private static ShardSet open(List<Path> paths, List<ShardFile> shards) throws IOException {
    List<MalformedShardException> malformed = new ArrayList<>();
    for (Path path : paths) {
      try {
        shards.add(ShardFile.open(path));
        requireSame(shards.getFirst(), shards.getLast());
      } catch (MalformedShardException e) {
        malformed.add(e);
      }
    }
    if (shards.isEmpty()) {
      MalformedShardException first = malformed.removeFirst();
      malformed.forEach(first::addSuppressed);
      throw first;
    }
    ObjectDescriptor descriptor = shards.getFirst().header().descriptor();
    List<LeftOutShard> leftOut = new ArrayList<>();
    for (MalformedShardException one : malformed) {
      ShardFile.adopt(one.path(), descriptor)
          .ifPresentOrElse(
              shards::add, () -> leftOut.add(new LeftOutShard(one.path(), one.problem())));
    }
    shards.sort(Comparator.comparingInt(shard -> paths.indexOf(shard.path())));
    return new ShardSet(shards, leftOut, descriptor);
  }

  private static void requireSame(ShardFile one, ShardFile other) throws MixedShardsException {
    if (!one.header().descriptor().equals(other.header().descriptor())) {
      throw new MixedShardsException(
          one.path(), one.header().descriptor(), other.path(), other.header().descriptor());
    }
  }

  ObjectDescriptor descriptor() {
    return descriptor;
  }

  List<ShardFile> shards() {
    return shards;
  }

  /** Returns the contents of all files, as far as the cursors have advanced. */
  ShardReport report(ShardCursors cursors) {
    return new ShardReport(cursors.summaries(), leftOut);
  }

  /** Returns the maximum number of records that fit in all shards. */
  long maxRecords() {
    return shards.stream().mapToLong(ShardFile::maxRecords).sum();
  }

  /** Returns these shards without some; this set still owns them. */
  ShardSet without(Map<ShardFile, String> reasons) {
    List<ShardFile> others = new ArrayList<>(shards);
    others.removeAll(reasons.keySet());
    List<LeftOutShard> out = new ArrayList<>(leftOut);
    reasons.forEach((shard, reason) -> out.add(new LeftOutShard(shard.path(), reason)));
    ShardSet rest = new ShardSet(others, out, descriptor);
    rest.isDivided = isDivided;
    return rest;
  }

  /** An operation that reads these shards from their beginnings. */
  interface Use<T> {
    T run() throws IOException, InterruptedException;
  }

  /**
   * Applies an operation to these shards. If a shard turns out not to be in ascending order, it is
   * divided into runs that are, and the operation is repeated.
   */
  <T> T inOrder(Use<T> use) throws IOException, InterruptedException {
    try {
      return use.run();
    } catch (DisorderException e) {
      divide();
      return use.run();
    }
  }

  private void divide() throws IOException {
    long largest = shards.stream().mapToLong(shard -> shard.header().recordBytes()).max().orElse(0);
    long spare = Math.max(0, MAX_RUN_BYTES / largest - shards.size());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment window = arena.allocate(Math.max(largest, MAX_WINDOW_BYTES));
      for (ShardFile shard : shards) {
        shard.divide((int) Math.min(1 + spare, Integer.MAX_VALUE), window);
        spare -= shard.runs().size() - 1;
      }
    }
    isDivided = true;
  }

  /**
   * Returns a cursor for each shard, or for each of its runs.
   *
   * @throws DisorderException if a shard is not in ascending order and shards have not been divided
   */
  ShardCursors cursors(NativeMemory memory) throws IOException {
    long runs = shards.stream().mapToLong(shard -> shard.runs().size()).sum();
    long bytes = Math.min(MAX_WINDOW_BYTES, WINDOW_BYTES / Math.max(1, runs));
    List<ShardCursor> cursors = new ArrayList<>();
    for (ShardFile shard : shards) {
      int recordBytes = shard.header().recordBytes();
      for (ShardFile.Run run : shard.runs()) {
        long window = Math.max(1, bytes / recordBytes) * recordBytes;
        MemorySegment segment = memory.allocate(Math.min(window, run.end() - run.from()));
        cursors.add(new ShardCursor(shard, run, !isDivided, segment));
      }
    }
    return new ShardCursors(cursors);
  }

  private static void close(List<ShardFile> shards) throws IOException {
    for (ShardFile shard : shards) {
      shard.close();
    }
  }

  @Override
  public void close() throws IOException {
    close(shards);
  }
}
