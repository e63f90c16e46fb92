package io.fieldstone.spark.coding;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.file.EncodingParameters;
import io.fieldstone.rlnc.file.RangeDecoder;
import io.fieldstone.rlnc.file.RangeEncoder;
import io.fieldstone.rlnc.file.ShardReport;
import io.fieldstone.rlnc.file.ShardsException;
import io.fieldstone.rlnc.file.ShortRankException;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.rlnc.wire.HashesSection;
import io.fieldstone.rlnc.wire.ShardHeader;
import io.fieldstone.spark.ExecutorEngine;
import io.fieldstone.spark.JobFailedException;
import io.fieldstone.spark.Outcome;
import io.fieldstone.spark.storage.Splits;
import io.fieldstone.spark.storage.Storage;
import io.fieldstone.stream.file.PositionedInput;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.spark.api.java.JavaSparkContext;

/** Objects, and the shards of each that exist; tasks read their headers. */
final class ShardGroups {

  /** The objects whose headers a task reads. */
  private static final int OBJECTS_OF_TASK = 32;

  private ShardGroups() {}

  /**
   * The shards of an object.
   *
   * @param name the name of the object with the folders under the root
   * @param shards the path of each shard
   */
  record Group(String name, TreeMap<Integer, String> shards) implements Serializable {

    List<PositionedInput.Opener> openers(Storage storage) {
      return shards.values().stream().map(storage::opener).toList();
    }

    RangeDecoder open(Storage storage, String spec) throws IOException {
      Engine engine = ExecutorEngine.ofTask(spec);
      return RangeDecoder.open(engine, openers(storage));
    }

    /** Names the object in a failure of its shards. */
    JobFailedException failed(ShardsException e) {
      return e instanceof ShortRankException
          ? JobFailedException.notRestorable("not enough blocks: " + name + ": " + e.getMessage())
          : new JobFailedException(name + ": " + e.getMessage(), e);
    }
  }

  /**
   * The size of an object and its lost shards, as read from the headers.
   *
   * @param length the bytes of the object
   * @param generationBytes the bytes of a full generation
   * @param isDivisible whether ranges can be decoded
   * @param missing the shards that do not exist or are not readable, if parameters were given
   */
  record Contents(
      long length, long generationBytes, boolean isDivisible, ArrayList<Integer> missing)
      implements Serializable {

    long generations() {
      return Math.ceilDiv(length, generationBytes);
    }
  }

  /**
   * A range of an object to decode.
   *
   * @param object the index of the object
   * @param from the first generation
   * @param end the generation after the last
   */
  record Piece(int object, Group group, Contents contents, long from, long end)
      implements Serializable {

    boolean isWhole() {
      return from == 0 && end >= contents.generations();
    }

    /** Returns the position of the range in the object. */
    long firstByte() {
      return from * contents.generationBytes;
    }

    /** Returns the bytes of the object in the range. */
    long bytes() {
      return Math.min(contents.length, end * contents.generationBytes) - firstByte();
    }
  }

  /**
   * Groups the shards in some paths by object.
   *
   * @throws JobFailedException if there are none
   */
  static List<Group> find(Storage storage, List<String> paths) throws IOException {
    Map<String, TreeMap<Integer, String>> groups = new TreeMap<>();
    for (ShardPaths.Found shard : ShardPaths.find(storage, paths)) {
      String before =
          groups
              .computeIfAbsent(shard.name().object(), _ -> new TreeMap<>())
              .put(shard.name().shard(), shard.path());
      if (before != null) {
        throw new JobFailedException(
            "the same shard is in two paths: %s and %s".formatted(before, shard.path()));
      }
    }
    if (groups.isEmpty()) {
      throw new JobFailedException("no shards (NAME.NN.fst) in " + String.join(", ", paths));
    }
    return groups.entrySet().stream()
        .map(entry -> new Group(entry.getKey(), entry.getValue()))
        .toList();
  }

  /**
   * Reads the headers of all shards.
   *
   * @param expected the parameters that the shards must have; empty to accept any
   * @return the contents of each group, in order
   * @throws JobFailedException if an object has no valid shard, shards of several versions, or
   *     other parameters
   */
  static List<Contents> contents(
      JavaSparkContext context,
      Storage storage,
      String spec,
      List<Group> groups,
      Optional<CodingOptions> expected)
      throws IOException {
    int tasks =
        Math.max(
            Math.min(groups.size(), context.defaultParallelism()),
            Math.ceilDiv(groups.size(), OBJECTS_OF_TASK));
    CodingOptions options = expected.orElse(CodingOptions.DEFAULT);
    boolean isExpected = expected.isPresent();
    return Outcome.allOf(
        context
            .parallelize(groups, tasks)
            .map(group ->
                Outcome.of(() ->
                    contents(
                        storage,
                        spec,
                        group,
                        isExpected ? Optional.of(options) : Optional.empty())))
            .collect());
  }

  private static Contents contents(
      Storage storage, String spec, Group group, Optional<CodingOptions> expected)
      throws IOException {
    try (RangeDecoder decoder = group.open(storage, spec)) {
      CodedObject object = decoder.object();
      ArrayList<Integer> missing = new ArrayList<>();
      if (expected.isPresent()) {
        missing.addAll(missing(storage, group, decoder, expected.get()));
      }
      return new Contents(object.length(), object.shape().bytes(), decoder.isDivisible(), missing);
    }
  }

  /** Returns the shards to make, after checking that the others have the parameters. */
  private static List<Integer> missing(
      Storage storage, Group group, RangeDecoder decoder, CodingOptions options)
      throws JobFailedException {
    Optional<HashesSection> hashes = decoder.hashes();
    if (hashes.isEmpty()) {
      throw new JobFailedException(
          "cannot be repaired without the hashes of its generations: " + group.name);
    }
    EncodingParameters parameters = options.parameters();
    long recordId = RangeEncoder.recordId(parameters, hashes.get());
    List<Integer> missing = new ArrayList<>(ShardParts.all(parameters));
    for (Map.Entry<Integer, String> shard : group.shards.entrySet()) {
      Optional<ShardHeader> header = decoder.header(storage.opener(shard.getValue()).name());
      if (header.isEmpty()) {
        continue;
      }
      ShardHeader same =
          RangeEncoder.header(
              parameters,
              header.get().descriptor().name(),
              decoder.object().length(),
              hashes.get(),
              recordId,
              shard.getKey());
      if (shard.getKey() >= parameters.shards() || !same.equals(header.get())) {
        throw new JobFailedException(
            "was not encoded with --any %d --of %d --generation %d --block-size %d --seed %d: %s"
                .formatted(
                    options.sufficient(),
                    options.shards(),
                    options.generation(),
                    options.blockSize(),
                    options.seed(),
                    shard.getValue()));
      }
      missing.removeIf(shard.getKey()::equals);
    }
    return missing;
  }

  /** Divides large objects into ranges of about this many bytes, and packs small ones for tasks. */
  static List<ArrayList<Piece>> tasks(
      List<Group> groups, List<Contents> contents, long bytes, int cores) {
    long whole =
        Splits.wholeBytes(contents.stream().mapToLong(Contents::length).sum(), cores, bytes);
    List<Piece> pieces = new ArrayList<>();
    for (int object = 0; object < groups.size(); object++) {
      Contents own = contents.get(object);
      long range =
          own.isDivisible ? Splits.rangeBytes(own.length, own.generationBytes, whole) : own.length;
      long step = Math.max(1, Math.ceilDiv(range, own.generationBytes));
      long from = 0;
      do {
        long end = Math.min(own.generations(), from + step);
        pieces.add(new Piece(object, groups.get(object), own, from, end));
        from = end;
      } while (from < own.generations());
    }
    return Splits.pack(pieces, Piece::bytes, bytes);
  }

  /** Returns the notes of a report, a line each. */
  static ArrayList<String> notes(ShardReport report) {
    ArrayList<String> notes = new ArrayList<>();
    for (ShardReport.LeftOut shard : report.leftOut()) {
      notes.add("left out: %s: %s".formatted(shard.path(), shard.reason()));
    }
    for (ShardReport.Polluted shard : report.polluted()) {
      notes.add(
          "wrong blocks in generation %d, replaced by those of other shards: %s"
              .formatted(shard.generation(), shard.path()));
    }
    return notes;
  }
}
