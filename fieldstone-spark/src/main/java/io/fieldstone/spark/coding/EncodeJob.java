package io.fieldstone.spark.coding;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.file.EncodingParameters;
import io.fieldstone.rlnc.file.RangeEncoder;
import io.fieldstone.rlnc.wire.HashesSection;
import io.fieldstone.spark.ExecutorEngine;
import io.fieldstone.spark.JobFailedException;
import io.fieldstone.spark.Outcome;
import io.fieldstone.spark.storage.Splits;
import io.fieldstone.spark.storage.Storage;
import io.fieldstone.spark.storage.StoredFile;
import io.fieldstone.stream.NativeMemory;
import io.fieldstone.stream.file.PositionedInput;
import java.io.IOException;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Encodes files into shards over several paths, which may be of different file systems or storage
 * classes. Shard s of {@code folder/NAME} is {@code folder/NAME.NN.fst} in path s mod paths, and
 * has the bytes that {@code fieldstone encode} writes.
 *
 * {@snippet :
 * EncodeJob job = EncodeJob.of(context, new CodingOptions(128, 4096, 2, 3, 1));
 * job.run("hdfs:///films", List.of("s3a://one/films", "s3a://two/films", "hdfs:///coded"));
 * }
 *
 * <p>Hadoop's file systems write a file from its start to its end, and a shard starts with the root
 * of all hashes. So a task reads a file for its hashes, and then writes its shards. A file that is
 * large beside the others is encoded by many tasks, in ranges. Where {@link Storage#shares}, they
 * write the records to their places in the shards, before the headers. Elsewhere the shards are
 * joined, which copies them unless {@link Storage#joins}. The shards appear under their names when
 * all are complete. Immutable and thread-safe.
 */
public final class EncodeJob {

  private final JavaSparkContext context;
  private final CodingOptions options;
  private final String engine;
  private final long taskBytes;
  private final boolean replaces;

  private EncodeJob(
      JavaSparkContext context,
      CodingOptions options,
      String engine,
      long taskBytes,
      boolean replaces) {
    this.context = context;
    this.options = options;
    this.engine = engine;
    this.taskBytes = taskBytes;
    this.replaces = replaces;
  }

  /** Returns a job that replaces no shards, with tasks of {@link Splits#DEFAULT_BYTES}. */
  public static EncodeJob of(JavaSparkContext context, CodingOptions options) {
    return new EncodeJob(context, options, ExecutorEngine.AUTO, Splits.DEFAULT_BYTES, false);
  }

  /** Returns a job whose tasks use an engine ({@link ExecutorEngine#ofTask}). */
  public EncodeJob withEngine(String spec) {
    return new EncodeJob(context, options, spec, taskBytes, replaces);
  }

  /** Returns a job whose tasks encode about this many bytes, at least a generation. */
  public EncodeJob withTaskBytes(long bytes) {
    return new EncodeJob(context, options, engine, bytes, replaces);
  }

  /** Returns a job that replaces or removes all shards of the same names. */
  public EncodeJob replacing() {
    return new EncodeJob(context, options, engine, taskBytes, true);
  }

  /** A range of a file, and what a task needs to encode it. */
  private record Piece(int index, StoredFile file, long from, long bytes) implements Serializable {

    ShardParts.Range range(CodingOptions options) {
      return new ShardParts.Range(
          options.parameters(),
          index,
          file.relative(),
          file.length(),
          from / options.generationBytes());
    }

    boolean isWhole() {
      return bytes == file.length();
    }
  }

  /** The records of a range of a file. */
  private record Encoded(int file, ShardParts.Written written) implements Serializable {}

  /**
   * Encodes a file, or the files in a folder and its subfolders.
   *
   * @param source a file or folder
   * @param paths the folders of the shards, created if they do not exist
   * @throws JobFailedException if the input or a path cannot be used, or shards exist; no shard is
   *     then changed
   * @throws IOException if reading or writing fails
   */
  public CodingReport run(String source, List<String> paths) throws IOException {
    Storage storage = Storage.of(context);
    List<StoredFile> files = storage.list(source);
    if (files.isEmpty()) {
      throw new JobFailedException("no files in " + source);
    }
    Set<String> names = files.stream().map(StoredFile::relative).collect(Collectors.toSet());
    List<String> old =
        ShardPaths.find(storage, paths).stream()
            .filter(shard -> names.contains(shard.name().object()))
            .map(ShardPaths.Found::path)
            .toList();
    if (!replaces && !old.isEmpty()) {
      throw new JobFailedException("already exists: " + old.getFirst() + " (--force replaces it)");
    }
    try (ShardPaths places = ShardPaths.open(storage, paths)) {
      List<ShardAssembly.Source> sources = encode(storage, files, places.paths());
      var moves =
          new ShardAssembly(context, storage, options, places.paths(), taskBytes).run(sources);
      places.commit(moves, old);
      return CodingReport.of(
          files.stream().mapToLong(StoredFile::length).sum(), files.size(), moves);
    }
  }

  private List<ShardAssembly.Source> encode(
      Storage storage, List<StoredFile> files, ShardAssembly.Paths paths) throws IOException {
    CodingOptions coding = options;
    String spec = engine;
    List<Encoded> encoded =
        Outcome.ofEach(
            context,
            Splits.pack(pieces(files), Piece::bytes, taskBytes),
            piece ->
                piece.isWhole()
                    ? encodeWhole(storage, coding, spec, paths, piece)
                    : encodeRange(storage, coding, spec, paths, piece));
    Map<Integer, List<ShardParts.Written>> ranges =
        ShardAssembly.byObject(
            encoded.stream().map(each -> Map.entry(each.file, each.written)).toList());
    List<Integer> all = ShardParts.all(options.parameters());
    List<ShardAssembly.Source> sources = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      StoredFile file = files.get(i);
      storage.requireUnchanged(file);
      sources.add(
          new ShardAssembly.Source(
              file.relative(), file.length(), all, Objects.requireNonNull(ranges.get(i))));
    }
    return sources;
  }

  private List<Piece> pieces(List<StoredFile> files) {
    List<Long> lengths = files.stream().map(StoredFile::length).toList();
    long total = lengths.stream().mapToLong(Long::longValue).sum();
    long whole = Splits.wholeBytes(total, context.defaultParallelism(), taskBytes);
    return Splits.ranges(
            lengths, length -> Splits.rangeBytes(length, options.generationBytes(), whole))
        .stream()
        .map(range -> new Piece(range.file(), files.get(range.file()), range.from(), range.bytes()))
        .toList();
  }

  private static Encoded encodeWhole(
      Storage storage, CodingOptions options, String spec, ShardAssembly.Paths paths, Piece piece)
      throws IOException {
    Engine engine = ExecutorEngine.ofTask(spec);
    EncodingParameters parameters = options.parameters();
    try (PositionedInput in = storage.open(piece.file.path());
        RangeEncoder encoder = new RangeEncoder(engine, parameters, piece.bytes);
        NativeMemory memory = new NativeMemory(engine)) {
      GenerationReader reader =
          new GenerationReader(
              in, 0, piece.bytes, options.generationBytes(), encoder.maxBytes(), memory);
      HashesSection.Builder builder = new HashesSection.Builder();
      reader.read((bytes, generation) -> encoder.hashes(bytes, generation).forEach(builder::add));
      HashesSection hashes = builder.build();
      long recordId = RangeEncoder.recordId(parameters, hashes);
      ShardFrame frame =
          new ShardFrame(parameters, piece.file.relative(), piece.bytes, hashes, recordId);
      try (ShardParts parts =
          new ShardParts(
              storage,
              piece.range(options),
              paths,
              ShardParts.all(parameters),
              Optional.of(frame))) {
        reader.read(
            (bytes, generation) -> parts.addKnown(encoder, bytes, generation, recordId, List.of()));
        return new Encoded(piece.index, parts.finish(recordId));
      }
    }
  }

  private static Encoded encodeRange(
      Storage storage, CodingOptions options, String spec, ShardAssembly.Paths paths, Piece piece)
      throws IOException {
    Engine engine = ExecutorEngine.ofTask(spec);
    EncodingParameters parameters = options.parameters();
    try (PositionedInput in = storage.open(piece.file.path());
        RangeEncoder encoder = new RangeEncoder(engine, parameters, piece.bytes);
        ShardParts parts =
            new ShardParts(
                storage,
                piece.range(options),
                paths,
                ShardParts.all(parameters),
                Optional.empty());
        NativeMemory memory = new NativeMemory(engine)) {
      MemorySegment start =
          memory.allocate(Math.min(options.generationBytes(), piece.file.length()));
      in.readFully(start, 0);
      long recordId = RangeEncoder.recordId(parameters, start);
      new GenerationReader(
              in, piece.from, piece.bytes, options.generationBytes(), encoder.maxBytes(), memory)
          .read((bytes, generation) -> parts.add(encoder, bytes, generation, recordId));
      return new Encoded(piece.index, parts.finish(recordId));
    }
  }
}
