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
 * Shards of one object, open for reading. A shard with a damaged header is used if another has a
 * good one and its records are of that object; other files are left out.
 */
final class ShardSet implements AutoCloseable {

  /** Read ahead for all shards together. */
  private static final long WINDOW_BYTES = 32L << 20;

  /** More read ahead for one shard gains nothing. */
  private static final long MAX_WINDOW_BYTES = 2L << 20;

  /** Windows of shards that are read in several runs, all together. */
  private static final long MAX_RUN_BYTES = 256L << 20;

  private final List<ShardFile> shards;
  private final List<LeftOutShard> leftOut;
  private final ObjectDescriptor descriptor;

  /** Whether shards have been divided into runs that are in order. */
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
   * @throws MalformedShardException if none has a valid header; the others are suppressed in it
   * @throws MixedShardsException if they are not of one object in one version
   * @throws IllegalArgumentException if there are none
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

  /** What has been found in all files, as far as the cursors have come. */
  ShardReport report(ShardCursors cursors) {
    return new ShardReport(cursors.summaries(), leftOut);
  }

  /** Records that all shards together have room for. */
  long maxRecords() {
    return shards.stream().mapToLong(ShardFile::maxRecords).sum();
  }

  /** The others of these shards; they stay this set's to close. */
  ShardSet without(Map<ShardFile, String> reasons) {
    List<ShardFile> others = new ArrayList<>(shards);
    others.removeAll(reasons.keySet());
    List<LeftOutShard> out = new ArrayList<>(leftOut);
    reasons.forEach((shard, reason) -> out.add(new LeftOutShard(shard.path(), reason)));
    ShardSet rest = new ShardSet(others, out, descriptor);
    rest.isDivided = isDivided;
    return rest;
  }

  /** Something done with these shards, from their beginnings on. */
  interface Use<T> {
    T run() throws IOException, InterruptedException;
  }

  /**
   * Does something with these shards. If one turns out not to be in ascending order, it is divided
   * into runs that are, and all is done again from the start.
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
   * A cursor for each shard, or for each of its runs.
   *
   * @throws DisorderException from here on while shards have not been divided and one has to be
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
