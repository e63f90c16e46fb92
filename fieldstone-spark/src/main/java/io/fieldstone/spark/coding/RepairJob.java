package io.fieldstone.spark.coding;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.file.EncodingParameters;
import io.fieldstone.rlnc.file.RangeDecoder;
import io.fieldstone.rlnc.file.RangeEncoder;
import io.fieldstone.rlnc.file.ShardsException;
import io.fieldstone.rlnc.wire.HashesSection;
import io.fieldstone.spark.ExecutorEngine;
import io.fieldstone.spark.JobFailedException;
import io.fieldstone.spark.Outcome;
import io.fieldstone.spark.coding.ShardGroups.Contents;
import io.fieldstone.spark.coding.ShardGroups.Group;
import io.fieldstone.spark.coding.ShardGroups.Piece;
import io.fieldstone.spark.storage.Splits;
import io.fieldstone.spark.storage.Storage;
import java.io.IOException;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Makes lost shards again, with the bytes that they had, from any blocks of full rank of the
 * others. Of each generation only lost blocks are computed, each as one combination of n blocks: a
 * source block of those that arrived, a coded block of the source blocks. So this takes as many
 * multiplications as recoding by a row of the generator times the inverse of the received rows; and
 * the hash of each generation is verified before a block of it is written. Shards that are complete
 * are not written.
 *
 * <p>A shard is lost if its file does not exist, or has no valid header. Immutable and thread-safe.
 */
public final class RepairJob {

  private final JavaSparkContext context;
  private final CodingOptions options;
  private final String engine;
  private final long taskBytes;

  private RepairJob(
      JavaSparkContext context, CodingOptions options, String engine, long taskBytes) {
    this.context = context;
    this.options = options;
    this.engine = engine;
    this.taskBytes = taskBytes;
  }

  /**
   * Returns a job with tasks of {@link Splits#DEFAULT_BYTES}.
   *
   * @param options those of the encoding, which the shards are compared with
   */
  public static RepairJob of(JavaSparkContext context, CodingOptions options) {
    return new RepairJob(context, options, ExecutorEngine.AUTO, Splits.DEFAULT_BYTES);
  }

  /** Returns a job whose tasks use an engine ({@link ExecutorEngine#ofTask}). */
  public RepairJob withEngine(String spec) {
    return new RepairJob(context, options, spec, taskBytes);
  }

  /** Returns a job whose tasks decode about this many bytes, at least a generation. */
  public RepairJob withTaskBytes(long bytes) {
    return new RepairJob(context, options, engine, bytes);
  }

  /** The records of the lost shards in a range. */
  private record Made(int object, ShardParts.Written written, ArrayList<String> notes)
      implements Serializable {}

  /**
   * Makes the lost shards of all objects in some paths.
   *
   * @param paths the folders of the shards, in the order of the encoding: a lost shard s is made in
   *     path s mod paths
   * @return the shards made; their objects and bytes are those with a lost shard
   * @throws JobFailedException if the shards of an object are not sufficient, or have other
   *     parameters; no shard is then written
   * @throws IOException if reading or writing fails
   */
  public CodingReport run(List<String> paths) throws IOException {
    Storage storage = Storage.of(context);
    List<Group> all = ShardGroups.find(storage, paths);
    List<Contents> allContents =
        ShardGroups.contents(context, storage, engine, all, Optional.of(options));
    List<Group> groups = new ArrayList<>();
    List<Contents> contents = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      if (!allContents.get(i).missing().isEmpty()) {
        groups.add(all.get(i));
        contents.add(allContents.get(i));
      }
    }
    if (groups.isEmpty()) {
      return CodingReport.of(0, 0, List.of());
    }
    try (ShardPaths places = ShardPaths.open(storage, paths)) {
      List<Made> made = make(storage, groups, contents, places.paths());
      Map<Integer, List<ShardParts.Written>> ranges =
          ShardAssembly.byObject(
              made.stream().map(each -> Map.entry(each.object, each.written)).toList());
      List<ShardAssembly.Source> sources = new ArrayList<>();
      for (int i = 0; i < groups.size(); i++) {
        sources.add(
            new ShardAssembly.Source(
                groups.get(i).name(),
                contents.get(i).length(),
                contents.get(i).missing(),
                Objects.requireNonNull(ranges.get(i))));
      }
      var moves =
          new ShardAssembly(context, storage, options, places.paths(), taskBytes).run(sources);
      places.commit(moves, List.of());
      return CodingReport.of(
              contents.stream().mapToLong(Contents::length).sum(), groups.size(), moves)
          .withNotes(made.stream().flatMap(each -> each.notes.stream()).toList());
    }
  }

  private List<Made> make(
      Storage storage, List<Group> groups, List<Contents> contents, ShardAssembly.Paths paths)
      throws IOException {
    List<ArrayList<Piece>> tasks =
        ShardGroups.tasks(groups, contents, taskBytes, context.defaultParallelism());
    CodingOptions coding = options;
    String spec = engine;
    return Outcome.ofEach(context, tasks, piece -> make(storage, coding, spec, piece, paths));
  }

  private static Made make(
      Storage storage, CodingOptions options, String spec, Piece piece, ShardAssembly.Paths paths)
      throws IOException, InterruptedException {
    Engine engine = ExecutorEngine.ofTask(spec);
    EncodingParameters parameters = options.parameters();
    try (RangeDecoder decoder = piece.group().open(storage, spec);
        RangeEncoder encoder = new RangeEncoder(engine, parameters, piece.bytes())) {
      HashesSection hashes = decoder.hashes().orElseThrow();
      ShardFrame frame =
          new ShardFrame(
              parameters,
              piece.group().name(),
              piece.contents().length(),
              hashes,
              RangeEncoder.recordId(parameters, hashes));
      try (ShardParts parts =
          new ShardParts(
              storage,
              new ShardParts.Range(
                  parameters,
                  piece.object(),
                  piece.group().name(),
                  piece.contents().length(),
                  piece.from()),
              paths,
              piece.contents().missing(),
              Optional.of(frame).filter(_ -> piece.isWhole()))) {
        make(options, decoder, encoder, piece, frame, parts);
        return new Made(
            piece.object(), parts.finish(frame.recordId()), ShardGroups.notes(decoder.report()));
      }
    } catch (ShardsException e) {
      throw piece.group().failed(e);
    }
  }

  private static void make(
      CodingOptions options,
      RangeDecoder decoder,
      RangeEncoder encoder,
      Piece piece,
      ShardFrame frame,
      ShardParts parts)
      throws IOException, InterruptedException {
    decoder.decode(
        piece.from(),
        piece.end(),
        (first, bytes) -> {
          if (first == piece.from()) {
            parts.restart();
          }
          long generationBytes = options.generationBytes();
          for (long at = 0; at < bytes.byteSize(); at += encoder.maxBytes()) {
            MemorySegment next =
                bytes.asSlice(at, Math.min(encoder.maxBytes(), bytes.byteSize() - at));
            int generation = Math.toIntExact(first + at / generationBytes);
            int count = Math.toIntExact(Math.ceilDiv(next.byteSize(), generationBytes));
            parts.addKnown(
                encoder,
                next,
                generation,
                frame.recordId(),
                frame.hashes().subList(generation, generation + count));
          }
        });
  }
}
