package io.fieldstone.rlnc.file;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.wire.ShardHeader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Looks into shards: what they are, what is damaged, what can be decoded. Thread-safe. */
public final class ShardInspector {

  private static final double NS_PER_SECOND = 1e9;

  private final Engine engine;

  /**
   * An inspector.
   *
   * @param engine finds ranks; stays the caller's
   */
  public ShardInspector(Engine engine) {
    this.engine = engine;
  }

  /**
   * Reads the header of a shard and nothing else.
   *
   * @throws MalformedShardException if it has no valid one
   */
  public static ShardHeader header(Path shard) throws IOException {
    try (ShardFile file = ShardFile.open(shard)) {
      return file.header();
    }
  }

  /**
   * Reads every record of some shards of one object.
   *
   * @throws MalformedShardException if none of the files is a shard
   * @throws MixedShardsException if they are not of one object in one version
   * @throws IOException if reading fails
   * @throws InterruptedException if the calling thread was interrupted
   */
  public InspectionResult inspect(List<Path> shards, GenerationListener listener)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    try (ShardSet set = ShardSet.open(shards)) {
      return set.inOrder(() -> {
        listener.start();
        try (NativeMemory memory = new NativeMemory(engine)) {
          ShardCursors cursors = set.cursors(memory);
          RankSummary ranks =
              new RankScan(engine, set.descriptor(), listener).scan(cursors, memory);
          return new InspectionResult(
              set.descriptor(),
              set.report(cursors),
              ranks,
              (System.nanoTime() - start) / NS_PER_SECOND);
        }
      });
    }
  }
}
