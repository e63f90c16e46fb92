package io.fieldstone.rlnc.file;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.wire.ShardHeader;
import io.fieldstone.stream.Interruptions;
import io.fieldstone.stream.file.DamagedInput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Reads shards and reports their headers, damage and ranks. Thread-safe. */
public final class ShardInspector {

  private static final double NS_PER_SECOND = 1e9;

  private final Engine engine;

  /**
   * Creates an inspector.
   *
   * @param engine computes ranks, on threads that also read; the caller closes it
   */
  public ShardInspector(Engine engine) {
    engine.requireOpen();
    this.engine = engine;
  }

  /**
   * Reads only the header of a shard.
   *
   * @throws MalformedShardException if it has no valid header
   */
  public static ShardHeader header(Path shard) throws IOException {
    try (ShardFile file = ShardFile.open(DamagedInput.opener(shard))) {
      return file.header();
    }
  }

  /**
   * Reads every record of some shards of one object.
   *
   * @throws MalformedShardException if no file is a valid shard
   * @throws MixedShardsException if the shards belong to different objects
   * @throws IOException if reading fails
   * @throws InterruptedException if the calling thread is interrupted
   */
  public InspectionResult inspect(List<Path> shards, GenerationListener listener)
      throws IOException, InterruptedException {
    return Interruptions.report(() -> inspectShards(shards, listener));
  }

  private InspectionResult inspectShards(List<Path> shards, GenerationListener listener)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    try (ShardSet set = ShardSet.open(shards)) {
      RankScan.Found found = RankScan.scan(engine, set, listener);
      return new InspectionResult(
          set.descriptor(),
          found.report(),
          found.ranks(),
          (System.nanoTime() - start) / NS_PER_SECOND);
    }
  }
}
