package io.fieldstone.spark.coding;

import io.fieldstone.rlnc.file.EncodingParameters;
import io.fieldstone.rlnc.wire.HashesSection;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.spark.Outcome;
import io.fieldstone.spark.storage.Joined;
import io.fieldstone.spark.storage.Splits;
import io.fieldstone.spark.storage.Staging;
import io.fieldstone.spark.storage.Storage;
import io.fieldstone.spark.storage.StoredOutput;
import java.io.IOException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;

/**
 * Makes complete shards from the records of ranges: the header, which needs the hashes of all
 * generations, the records in order, and the hashes. Where the records are in their places, or the
 * file system joins files, tasks write the header and the hashes; elsewhere a task copies a shard
 * together, or some small ones.
 */
final class ShardAssembly {

  /**
   * An object whose records are written.
   *
   * @param name the name with the folders under the root
   * @param length the bytes
   * @param shards the shards to make
   * @param ranges the records of all ranges, in order
   */
  record Source(String name, long length, List<Integer> shards, List<ShardParts.Written> ranges) {}

  /**
   * The paths of shards: shard s is in path s mod paths.
   *
   * @param stagings the staging folder of each path
   * @param sharing the paths where tasks write one file at the same time ({@link Storage#shares})
   */
  record Paths(ArrayList<String> roots, ArrayList<String> stagings, BitSet sharing)
      implements Serializable {
    Path shard(EncodingParameters parameters, String object, int shard) {
      return new Path(roots.get(shard % roots.size()) + "/" + parameters.shardFile(object, shard));
    }

    String staging(int shard) {
      return stagings.get(shard % stagings.size());
    }

    boolean isShared(int shard) {
      return sharing.get(shard % stagings.size());
    }

    /** Returns the file of a shard whose ranges tasks write. */
    Path shared(int object, int shard) {
      return new Path(staging(shard) + "/" + object + "." + shard);
    }
  }

  /** A shard to make. */
  private record Target(int object, String name, long length, int shard, ArrayList<String> parts)
      implements Serializable {}

  private final JavaSparkContext context;
  private final Storage storage;
  private final CodingOptions options;
  private final Paths paths;
  private final long taskBytes;

  ShardAssembly(
      JavaSparkContext context,
      Storage storage,
      CodingOptions options,
      Paths paths,
      long taskBytes) {
    this.context = context;
    this.storage = storage;
    this.options = options;
    this.paths = paths;
    this.taskBytes = taskBytes;
  }

  /** Makes the shards; returns where they are and belong. */
  List<Staging.Move> run(List<Source> sources) throws IOException {
    HashMap<Integer, byte[]> hashes = new HashMap<>();
    HashMap<Integer, Long> recordIds = new HashMap<>();
    List<Target> targets = new ArrayList<>();
    List<Staging.Move> moves = new ArrayList<>();
    for (int i = 0; i < sources.size(); i++) {
      Source source = sources.get(i);
      if (source.ranges().getFirst().isComplete()) {
        moves.addAll(moves(source));
        continue;
      }
      hashes.put(i, joined(source.ranges()));
      recordIds.put(i, source.ranges().getFirst().recordId());
      for (int shard : source.shards()) {
        ArrayList<String> parts = new ArrayList<>();
        for (ShardParts.Written range : source.ranges()) {
          String file = range.files().get(shard);
          if (file != null) {
            parts.add(file);
          }
        }
        targets.add(new Target(i, source.name(), source.length(), shard, parts));
      }
    }
    if (!targets.isEmpty()) {
      moves.addAll(assemble(targets, hashes, recordIds));
    }
    return moves;
  }

  /** Returns the moves of shards that a task has written as a whole. */
  private List<Staging.Move> moves(Source source) {
    return source.ranges().getFirst().files().entrySet().stream()
        .map(file -> {
          Path target = paths.shard(options.parameters(), source.name(), file.getKey());
          return new Staging.Move(file.getValue(), target.toString());
        })
        .toList();
  }

  private List<Staging.Move> assemble(
      List<Target> targets, HashMap<Integer, byte[]> hashes, HashMap<Integer, Long> recordIds)
      throws IOException {
    List<ArrayList<Target>> tasks =
        Splits.pack(
            targets,
            target -> paths.isShared(target.shard) ? 0 : target.length / options.sufficient(),
            taskBytes);
    Storage files = storage;
    CodingOptions coding = options;
    Paths places = paths;
    Broadcast<HashMap<Integer, byte[]>> allHashes = context.broadcast(hashes);
    try {
      return Outcome.ofEach(
          context,
          tasks,
          target -> {
            byte[] own = Objects.requireNonNull(allHashes.value().get(target.object));
            long id = Objects.requireNonNull(recordIds.get(target.object));
            return make(files, coding, places, target, own, id);
          });
    } finally {
      allHashes.destroy();
    }
  }

  private static byte[] joined(List<ShardParts.Written> ranges) {
    ByteBuffer all =
        ByteBuffer.allocate(ranges.stream().mapToInt(range -> range.hashes().length).sum());
    ranges.forEach(range -> all.put(range.hashes()));
    return all.array();
  }

  private static Staging.Move make(
      Storage storage, CodingOptions options, Paths paths, Target target, byte[] hashes, long id)
      throws IOException {
    EncodingParameters parameters = options.parameters();
    HashesSection.Builder builder = new HashesSection.Builder();
    ByteBuffer buffer = ByteBuffer.wrap(hashes);
    while (buffer.hasRemaining()) {
      builder.add(Sha256.read(buffer));
    }
    ShardFrame frame = new ShardFrame(parameters, target.name, target.length, builder.build(), id);
    return new Staging.Move(
        make(storage, paths, target, frame),
        paths.shard(parameters, target.name, target.shard).toString());
  }

  private static ArrayList<String> make(
      Storage storage, Paths paths, Target target, ShardFrame frame) throws IOException {
    int shard = target.shard;
    byte[] before = frame.before(shard);
    if (!paths.isShared(shard)) {
      Path file = Staging.attempt(paths.staging(shard), "shard." + target.object + "." + shard);
      return Joined.write(storage, file, before, target.parts, frame.after());
    }
    Path file = paths.shared(target.object, shard);
    try (StoredOutput out = storage.share(file, 0)) {
      out.write(before);
    }
    try (StoredOutput out = storage.share(file, frame.afterAt(shard))) {
      out.write(frame.after());
    }
    return new ArrayList<>(List.of(file.toString()));
  }

  /** Returns the ranges of each object, of which there is at least one. */
  static Map<Integer, List<ShardParts.Written>> byObject(
      Collection<? extends Map.Entry<Integer, ShardParts.Written>> ranges) {
    Map<Integer, List<ShardParts.Written>> byObject = new HashMap<>();
    for (Map.Entry<Integer, ShardParts.Written> range : ranges) {
      byObject.computeIfAbsent(range.getKey(), _ -> new ArrayList<>()).add(range.getValue());
    }
    byObject
        .values()
        .forEach(list -> list.sort(Comparator.comparingLong(ShardParts.Written::firstGeneration)));
    return byObject;
  }
}
