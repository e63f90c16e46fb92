package io.fieldstone.spark.coding;

import io.fieldstone.rlnc.file.RangeDecoder;
import io.fieldstone.rlnc.file.ShardsException;
import io.fieldstone.spark.ExecutorEngine;
import io.fieldstone.spark.JobFailedException;
import io.fieldstone.spark.Outcome;
import io.fieldstone.spark.coding.ShardGroups.Contents;
import io.fieldstone.spark.coding.ShardGroups.Group;
import io.fieldstone.spark.coding.ShardGroups.Piece;
import io.fieldstone.spark.storage.Joined;
import io.fieldstone.spark.storage.Splits;
import io.fieldstone.spark.storage.Staging;
import io.fieldstone.spark.storage.Storage;
import io.fieldstone.spark.storage.StoredOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Decodes all objects whose shards are in some paths. An {@link EncodeJob}, {@code fieldstone
 * encode} or {@code fieldstone recode} wrote the shards. Paths may be lost, and shards damaged, as
 * long as the others are sufficient.
 *
 * <p>Tasks decode and verify ranges of generations; then the parts of a large file are joined, if
 * they were not written to their places ({@link Storage#shares}). The files appear under their
 * names when all are complete. Immutable and thread-safe.
 */
public final class DecodeJob {

  private final JavaSparkContext context;
  private final String engine;
  private final long taskBytes;
  private final boolean replaces;

  private DecodeJob(JavaSparkContext context, String engine, long taskBytes, boolean replaces) {
    this.context = context;
    this.engine = engine;
    this.taskBytes = taskBytes;
    this.replaces = replaces;
  }

  /** Returns a job that replaces no files, with tasks of {@link Splits#DEFAULT_BYTES}. */
  public static DecodeJob of(JavaSparkContext context) {
    return new DecodeJob(context, ExecutorEngine.AUTO, Splits.DEFAULT_BYTES, false);
  }

  /** Returns a job whose tasks use an engine ({@link ExecutorEngine#ofTask}). */
  public DecodeJob withEngine(String spec) {
    return new DecodeJob(context, spec, taskBytes, replaces);
  }

  /** Returns a job whose tasks decode about this many bytes, at least a generation. */
  public DecodeJob withTaskBytes(long bytes) {
    return new DecodeJob(context, engine, bytes, replaces);
  }

  /** Returns a job that replaces existing files. */
  public DecodeJob replacing() {
    return new DecodeJob(context, engine, taskBytes, true);
  }

  /** A decoded range, in a file of its own or in that of the object. */
  private record Part(int object, long from, String file, ArrayList<String> notes)
      implements Serializable {}

  /** The parts of an object. */
  private record Whole(String target, ArrayList<String> parts, long bytes)
      implements Serializable {}

  /**
   * Decodes all objects.
   *
   * @param paths the folders of the shards; those that do not exist are taken as lost
   * @param target the folder of the files, created if it does not exist
   * @throws JobFailedException if the shards of an object are not sufficient, or of several
   *     versions, or a file exists; no file is then written
   * @throws IOException if reading or writing fails
   */
  public CodingReport run(List<String> paths, String target) throws IOException {
    Storage storage = Storage.of(context);
    List<Group> groups = ShardGroups.find(storage, paths);
    Path root = storage.path(target);
    if (!replaces) {
      for (Group group : groups) {
        Path file = new Path(root + "/" + group.name());
        if (storage.exists(file)) {
          throw new JobFailedException("already exists: " + file + " (--force replaces it)");
        }
      }
    }
    List<Contents> contents =
        ShardGroups.contents(context, storage, engine, groups, Optional.empty());
    try (Staging staging = Staging.in(storage, root)) {
      List<Part> parts = decode(storage, groups, contents, staging.folder());
      List<Staging.Move> moves = join(storage, groups, contents, parts, root, staging.folder());
      Staging.commit(storage, moves);
      return CodingReport.of(
              contents.stream().mapToLong(Contents::length).sum(), groups.size(), moves)
          .withNotes(parts.stream().flatMap(part -> part.notes.stream()).toList());
    }
  }

  private List<Part> decode(
      Storage storage, List<Group> groups, List<Contents> contents, String staging)
      throws IOException {
    List<ArrayList<Piece>> tasks =
        ShardGroups.tasks(groups, contents, taskBytes, context.defaultParallelism());
    String spec = engine;
    boolean shares = storage.shares(new Path(staging));
    List<Part> parts =
        new ArrayList<>(
            Outcome.ofEach(
                context,
                tasks,
                piece -> decode(storage, spec, piece, staging, shares && !piece.isWhole())));
    parts.sort(Comparator.comparingInt(Part::object).thenComparingLong(Part::from));
    return parts;
  }

  private static Part decode(
      Storage storage, String spec, Piece piece, String staging, boolean isShared)
      throws IOException, InterruptedException {
    Path file =
        isShared
            ? new Path(staging + "/" + piece.object())
            : Staging.attempt(staging, piece.object() + "." + piece.from());
    NewOutput output =
        isShared ? () -> storage.share(file, piece.firstByte()) : () -> storage.create(file);
    try (RangeDecoder decoder = piece.group().open(storage, spec)) {
      decodeTo(output, decoder, piece);
      return new Part(
          piece.object(), piece.from(), file.toString(), ShardGroups.notes(decoder.report()));
    } catch (ShardsException e) {
      throw piece.group().failed(e);
    }
  }

  private static void decodeTo(NewOutput output, RangeDecoder decoder, Piece piece)
      throws IOException, InterruptedException {
    try (Rewritten out = new Rewritten(output)) {
      decoder.decode(
          piece.from(),
          piece.end(),
          (first, bytes) -> {
            if (first == piece.from()) {
              out.restart();
            }
            out.stream().write(bytes);
          });
    }
  }

  /** Opens an output at its start. */
  private interface NewOutput {
    StoredOutput open() throws IOException;
  }

  /** An output that is begun again if the decoder begins again. */
  private static final class Rewritten implements AutoCloseable {
    private final NewOutput output;
    private StoredOutput stream;

    Rewritten(NewOutput output) throws IOException {
      this.output = output;
      this.stream = output.open();
    }

    void restart() throws IOException {
      stream.close();
      stream = output.open();
    }

    StoredOutput stream() {
      return stream;
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }

  private List<Staging.Move> join(
      Storage storage,
      List<Group> groups,
      List<Contents> contents,
      List<Part> parts,
      Path root,
      String staging)
      throws IOException {
    List<Staging.Move> moves = new ArrayList<>();
    List<Whole> wholes = new ArrayList<>();
    int at = 0;
    for (int object = 0; object < groups.size(); object++) {
      SequencedSet<String> own = new LinkedHashSet<>();
      for (; at < parts.size() && parts.get(at).object == object; at++) {
        own.add(parts.get(at).file);
      }
      String target = root + "/" + groups.get(object).name();
      if (own.size() == 1) {
        moves.add(new Staging.Move(own.getFirst(), target));
      } else {
        wholes.add(new Whole(target, new ArrayList<>(own), contents.get(object).length()));
      }
    }
    if (!wholes.isEmpty()) {
      moves.addAll(
          Outcome.allOf(
              context
                  .parallelize(wholes, wholes.size())
                  .map(whole -> Outcome.of(() -> join(storage, whole, staging)))
                  .collect()));
    }
    return moves;
  }

  private static Staging.Move join(Storage storage, Whole whole, String staging)
      throws IOException {
    Path file = Staging.attempt(staging, "whole." + org.apache.spark.TaskContext.getPartitionId());
    return new Staging.Move(
        Joined.write(storage, file, new byte[0], whole.parts, new byte[0]), whole.target);
  }
}
