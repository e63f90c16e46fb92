package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.wire.ObjectDescriptor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Shards of one object, open for reading. Those without a valid header are set aside. */
final class ShardSet implements AutoCloseable {

  /** Read ahead for all shards together. */
  private static final long CHUNK_BYTES = 32L << 20;

  /** More read ahead for one shard gains nothing. */
  private static final long MOST_CHUNK_BYTES = 2L << 20;

  private final List<ShardFile> shards = new ArrayList<>();
  private final List<MalformedShardException> malformed = new ArrayList<>();

  private ShardSet() {}

  /**
   * Opens shards.
   *
   * @throws MalformedShardException if none has a valid header
   * @throws MixedShardsException if they are not of one object in one version
   * @throws IllegalArgumentException if there are none
   */
  static ShardSet open(List<Path> paths) throws IOException {
    if (paths.isEmpty()) {
      throw new IllegalArgumentException("0 shards are less than 1");
    }
    ShardSet set = new ShardSet();
    try {
      for (Path path : paths) {
        set.add(path);
      }
      if (set.shards.isEmpty()) {
        throw set.malformed.getFirst();
      }
      return set;
    } catch (IOException e) {
      set.close();
      throw e;
    }
  }

  private void add(Path path) throws IOException {
    try {
      shards.add(ShardFile.open(path));
    } catch (MalformedShardException e) {
      malformed.add(e);
      return;
    }
    ShardFile first = shards.getFirst();
    ObjectDescriptor own = shards.getLast().header().descriptor();
    if (!first.header().descriptor().equals(own)) {
      throw new MixedShardsException(first.path(), descriptor(), path, own);
    }
  }

  ObjectDescriptor descriptor() {
    return shards.getFirst().header().descriptor();
  }

  List<MalformedShardException> malformed() {
    return malformed;
  }

  /** Records in all shards together. */
  long records() {
    return shards.stream().mapToLong(ShardFile::records).sum();
  }

  /** A cursor for each shard. */
  ShardCursors cursors(NativeMemory memory) throws IOException {
    long chunkBytes = Math.min(MOST_CHUNK_BYTES, CHUNK_BYTES / shards.size());
    List<ShardCursor> cursors = new ArrayList<>();
    for (ShardFile shard : shards) {
      cursors.add(new ShardCursor(shard, chunkBytes, memory));
    }
    return new ShardCursors(cursors);
  }

  List<ShardFile> shards() {
    return shards;
  }

  @Override
  public void close() throws IOException {
    for (ShardFile shard : shards) {
      shard.close();
    }
  }
}
