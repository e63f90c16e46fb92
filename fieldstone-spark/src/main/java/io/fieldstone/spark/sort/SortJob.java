package io.fieldstone.spark.sort;

import io.fieldstone.sort.RadixSort;
import io.fieldstone.sort.RecordLayout;
import io.fieldstone.spark.ExecutorEngine;
import io.fieldstone.spark.JobFailedException;
import io.fieldstone.spark.Outcome;
import io.fieldstone.spark.storage.Joined;
import io.fieldstone.spark.storage.Splits;
import io.fieldstone.spark.storage.Splits.Range;
import io.fieldstone.spark.storage.Staging;
import io.fieldstone.spark.storage.Storage;
import io.fieldstone.spark.storage.StoredFile;
import io.fieldstone.spark.storage.StoredOutput;
import io.fieldstone.stream.file.PositionedInput;
import java.io.IOException;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.fs.Path;
import org.apache.spark.Partitioner;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * Sorts binary records stably on a cluster. The files of the result, one after the other, have the
 * bytes that {@code fieldstone sort} writes.
 *
 * {@snippet :
 * RecordLayout teraSort =
 *     new RecordLayout(100, 0, new RecordLayout.ByteString(10), Direction.ASCENDING);
 * SortJob.of(context, teraSort).run(List.of("hdfs:///in"), "hdfs:///sorted");
 * }
 *
 * <p>A sample of the keys divides them into ranges of about equal size. Tasks divide the input by
 * these ranges, Spark's shuffle brings the records of a range together, and a task sorts each in
 * memory. A part takes about four times its bytes of memory while it is sorted. Immutable and
 * thread-safe.
 */
public final class SortJob {

  /** The samples for each part. A part is then hardly ever more than twice as large as the mean. */
  private static final int SAMPLES = 64;

  private final JavaSparkContext context;
  private final KeyPlace place;
  private final String engine;
  private final long taskBytes;
  private final boolean replaces;
  private final boolean isOneFile;

  private SortJob(
      JavaSparkContext context,
      KeyPlace place,
      String engine,
      long taskBytes,
      boolean replaces,
      boolean isOneFile) {
    this.context = context;
    this.place = place;
    this.engine = engine;
    this.taskBytes = taskBytes;
    this.replaces = replaces;
    this.isOneFile = isOneFile;
  }

  /** Returns a job that replaces nothing, with tasks of {@link Splits#DEFAULT_BYTES}. */
  public static SortJob of(JavaSparkContext context, RecordLayout layout) {
    return new SortJob(
        context, KeyPlace.of(layout), ExecutorEngine.AUTO, Splits.DEFAULT_BYTES, false, false);
  }

  /** Returns a job whose tasks use an engine ({@link ExecutorEngine#ofTask}). */
  public SortJob withEngine(String spec) {
    return new SortJob(context, place, spec, taskBytes, replaces, isOneFile);
  }

  /**
   * Returns a job whose tasks divide and sort about this many bytes, at least a record.
   *
   * @throws IllegalArgumentException if it is less than 1, or more than half a gibibyte
   */
  public SortJob withTaskBytes(long bytes) {
    if (bytes < 1 || bytes > 1 << 29) {
      throw new IllegalArgumentException(
          "tasks of %d bytes are not within 1 … %d".formatted(bytes, 1 << 29));
    }
    return new SortJob(context, place, engine, bytes, replaces, isOneFile);
  }

  /** Returns a job that replaces the result of a previous sort. */
  public SortJob replacing() {
    return new SortJob(context, place, engine, taskBytes, true, isOneFile);
  }

  /** Returns a job that joins the parts to one file, which one task writes. */
  public SortJob toOneFile() {
    return new SortJob(context, place, engine, taskBytes, replaces, true);
  }

  /**
   * A range of the input.
   *
   * @param first the number of its first record in the input
   */
  private record Piece(String path, long from, int bytes, long first) implements Serializable {}

  /** Some records of a part, in the order of the input; {@code first} is that of their range. */
  @SuppressWarnings("ArrayRecordComponent") // Of this class alone.
  private record Block(long first, byte[] records) implements Serializable {}

  /** A sorted part in a file of its own. */
  private record Part(int number, String file, long bytes) implements Serializable {}

  /** The input and its division. */
  private record Input(List<StoredFile> files, List<ArrayList<Piece>> tasks, long bytes) {}

  /** Gives each part a partition. */
  private static final class ByNumber extends Partitioner {
    private static final long serialVersionUID = 1L;
    private final int parts;

    ByNumber(int parts) {
      this.parts = parts;
    }

    @Override
    public int numPartitions() {
      return parts;
    }

    @Override
    public int getPartition(Object key) {
      return (Integer) key;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof ByNumber same && same.parts == parts;
    }

    @Override
    public int hashCode() {
      return parts;
    }
  }

  /**
   * Sorts the records of files, and of those in folders, one after the other in the order of names.
   *
   * @param inputs files and folders
   * @param target a folder of files {@code part-NNNNN}, or the file
   * @throws JobFailedException if an input has no whole number of records or changes, or the target
   *     exists; nothing is then written
   * @throws IOException if reading or writing fails
   */
  public SortReport run(List<String> inputs, String target) throws IOException {
    Storage storage = Storage.of(context);
    Input input = input(storage, inputs);
    Path result = storage.path(target);
    requireReplaceable(storage, result);
    Path parent = result.getParent();
    if (parent == null) {
      throw new JobFailedException("is the root of a file system: " + result);
    }
    try (Staging staging = Staging.in(storage, parent)) {
      List<Part> parts = parts(storage, input, staging.folder());
      requireSame(storage, input, parts);
      List<String> written =
          isOneFile
              ? join(storage, parts, staging.folder(), result)
              : gather(storage, parts, staging.folder(), result);
      return new SortReport(input.bytes / place.recordBytes(), input.bytes, written);
    }
  }

  /**
   * Returns the sorted records; each element has those of a part. To be read in the order of the
   * partitions.
   *
   * @param inputs files and folders
   * @throws JobFailedException if an input has no whole number of records
   * @throws IOException if reading fails
   */
  public JavaRDD<byte[]> sorted(List<String> inputs) throws IOException {
    Storage storage = Storage.of(context);
    return sorted(storage, input(storage, inputs));
  }

  private Input input(Storage storage, List<String> inputs) throws IOException {
    List<StoredFile> files = new ArrayList<>();
    for (String name : inputs) {
      files.addAll(storage.list(name));
    }
    int record = place.recordBytes();
    for (StoredFile file : files) {
      if (file.length() % record != 0) {
        throw new JobFailedException(
            "%d bytes are not a whole number of records of %d bytes: %s"
                .formatted(file.length(), record, file.name()));
      }
    }
    long bytes = taskRecordBytes();
    List<Piece> pieces = new ArrayList<>();
    long first = 0;
    List<Long> lengths = files.stream().map(StoredFile::length).toList();
    for (Range range : Splits.ranges(lengths, _ -> bytes)) {
      String path = files.get(range.file()).path();
      pieces.add(new Piece(path, range.from(), (int) range.bytes(), first));
      first += range.bytes() / record;
    }
    return new Input(files, Splits.pack(pieces, Piece::bytes, bytes), first * record);
  }

  /** Returns the bytes of the whole records of a task. */
  private long taskRecordBytes() {
    int record = place.recordBytes();
    return Math.max(1, taskBytes / record) * record;
  }

  private void requireReplaceable(Storage storage, Path result) throws IOException {
    if (!storage.exists(result)) {
      return;
    }
    if (!replaces) {
      throw new JobFailedException("already exists: " + result + " (--force replaces it)");
    }
    if (isOneFile) {
      storage.requireNoFolder(result);
      return;
    }
    for (StoredFile file : storage.list(result.toString())) {
      if (!file.relative().matches("part-[0-9]{5,}")) {
        throw new JobFailedException("not the result of a sort, and is not replaced: " + result);
      }
    }
  }

  private JavaRDD<byte[]> sorted(Storage storage, Input input) throws IOException {
    Boundaries boundaries = boundaries(storage, input);
    KeyPlace keys = place;
    String spec = engine;
    return context
        .parallelize(input.tasks, Math.max(1, input.tasks.size()))
        .flatMapToPair(task -> Outcome.inMemory(() -> blocks(storage, keys, boundaries, task)))
        .partitionBy(new ByNumber(boundaries.parts()))
        .mapPartitions(
            blocks -> List.of(Outcome.inMemory(() -> sort(keys, spec, blocks))).iterator());
  }

  private Boundaries boundaries(Storage storage, Input input) throws IOException {
    int parts = Math.toIntExact(Math.max(1, Math.ceilDiv(input.bytes, taskRecordBytes())));
    if (parts == 1) {
      return Boundaries.of(List.of(), 1);
    }
    double density = (double) SAMPLES * parts / input.bytes;
    KeyPlace keys = place;
    return Boundaries.of(
        Outcome.allOf(
                context
                    .parallelize(input.tasks, input.tasks.size())
                    .map(task -> Outcome.of(() -> samples(storage, keys, task, density)))
                    .collect())
            .stream()
            .flatMap(List::stream)
            .toList(),
        parts);
  }

  /** Reads a few records of each range: always the same ones, if a task runs again. */
  private static ArrayList<Boundaries.Sample> samples(
      Storage storage, KeyPlace keys, List<Piece> task, double density) throws IOException {
    RecordLayout layout = keys.layout();
    MemorySegment record = MemorySegment.ofArray(new byte[layout.recordBytes()]);
    ArrayList<Boundaries.Sample> samples = new ArrayList<>();
    for (Piece piece : task) {
      SplittableRandom random = new SplittableRandom(piece.first);
      int records = piece.bytes / layout.recordBytes();
      // Rounded at random: small pieces have no more samples for each byte than large ones.
      int count = (int) Math.min(records, density * piece.bytes + random.nextDouble());
      try (PositionedInput in = storage.open(piece.path)) {
        for (int i = 0; i < count; i++) {
          int at = random.nextInt(records);
          in.readFully(record, piece.from + (long) at * layout.recordBytes());
          samples.add(Boundaries.Sample.of(layout, record, 0, piece.first + at));
        }
      }
    }
    return samples;
  }

  private static Iterator<Tuple2<Integer, Block>> blocks(
      Storage storage, KeyPlace keys, Boundaries boundaries, List<Piece> task) throws IOException {
    List<Tuple2<Integer, Block>> blocks = new ArrayList<>();
    for (Piece piece : task) {
      byte[] bytes = new byte[piece.bytes];
      try (PositionedInput in = storage.open(piece.path)) {
        in.readFully(MemorySegment.ofArray(bytes), piece.from);
      }
      byte[][] parts =
          boundaries.parts() == 1 ? new byte[][] {bytes} : cut(keys, boundaries, piece, bytes);
      for (int part = 0; part < parts.length; part++) {
        if (parts[part].length > 0) {
          blocks.add(new Tuple2<>(part, new Block(piece.first, parts[part])));
        }
      }
    }
    return blocks.iterator();
  }

  /** Divides records by part; within a part they keep their order. */
  private static byte[][] cut(KeyPlace keys, Boundaries boundaries, Piece piece, byte[] bytes) {
    RecordLayout layout = keys.layout();
    int size = layout.recordBytes();
    MemorySegment records = MemorySegment.ofArray(bytes);
    int[] partOf = new int[bytes.length / size];
    int[] counts = new int[boundaries.parts()];
    for (int i = 0; i < partOf.length; i++) {
      partOf[i] = boundaries.part(layout, records, (long) i * size, piece.first + i);
      counts[partOf[i]]++;
    }
    byte[][] parts = new byte[counts.length][];
    for (int part = 0; part < parts.length; part++) {
      parts[part] = new byte[counts[part] * size];
      counts[part] = 0;
    }
    for (int i = 0; i < partOf.length; i++) {
      int part = partOf[i];
      System.arraycopy(bytes, i * size, parts[part], counts[part], size);
      counts[part] += size;
    }
    return parts;
  }

  private static byte[] sort(KeyPlace keys, String spec, Iterator<Tuple2<Integer, Block>> arriving)
      throws IOException, InterruptedException {
    List<Block> blocks = new ArrayList<>();
    long total = 0;
    while (arriving.hasNext()) {
      Block block = arriving.next()._2();
      blocks.add(block);
      total += block.records.length;
    }
    if (total > Integer.MAX_VALUE - Long.BYTES) {
      throw new JobFailedException(
          "a part of %d bytes is too large: make tasks smaller with --split".formatted(total));
    }
    blocks.sort(Comparator.comparingLong(Block::first));
    byte[] records = new byte[(int) total];
    int at = 0;
    for (int i = 0; i < blocks.size(); i++) {
      byte[] next = blocks.set(i, new Block(0, new byte[0])).records;
      System.arraycopy(next, 0, records, at, next.length);
      at += next.length;
    }
    RadixSort.with(ExecutorEngine.ofTask(spec)).sort(MemorySegment.ofArray(records), keys.layout());
    return records;
  }

  private List<Part> parts(Storage storage, Input input, String staging) throws IOException {
    List<Part> parts =
        new ArrayList<>(
            Outcome.allOf(
                sorted(storage, input)
                    .mapPartitionsWithIndex(
                        (number, sorted) ->
                            List.of(
                                    Outcome.of(
                                        () -> write(storage, staging, number, sorted.next())))
                                .iterator(),
                        true)
                    .collect()));
    parts.sort(Comparator.comparingInt(Part::number));
    return parts;
  }

  private static Part write(Storage storage, String staging, int number, byte[] records)
      throws IOException {
    Path file = Staging.attempt(staging, "part." + number);
    try (StoredOutput out = storage.create(file)) {
      out.write(MemorySegment.ofArray(records));
    }
    return new Part(number, file.toString(), records.length);
  }

  /** Checks that no input changed its length, and that all records are in the parts. */
  private static void requireSame(Storage storage, Input input, List<Part> parts)
      throws IOException {
    for (StoredFile file : input.files) {
      storage.requireUnchanged(file);
    }
    long bytes = parts.stream().mapToLong(Part::bytes).sum();
    if (bytes != input.bytes) {
      throw new IllegalStateException("%d bytes of %d sorted".formatted(bytes, input.bytes));
    }
  }

  /** Renames the folder of all parts once. */
  private List<String> gather(Storage storage, List<Part> parts, String staging, Path result)
      throws IOException {
    Path whole = new Path(staging, "whole");
    List<Staging.Move> moves = new ArrayList<>();
    List<String> written = new ArrayList<>();
    for (Part part : parts) {
      String name = "part-%05d".formatted(part.number);
      moves.add(new Staging.Move(part.file, new Path(whole, name).toString()));
      written.add(new Path(result, name).toString());
    }
    Staging.commit(storage, moves);
    if (replaces) {
      storage.replaceFolder(whole, result, new Path(staging, "old"));
    } else {
      Staging.commit(storage, List.of(new Staging.Move(whole.toString(), result.toString())));
    }
    return written;
  }

  private List<String> join(Storage storage, List<Part> parts, String staging, Path result)
      throws IOException {
    ArrayList<String> files =
        new ArrayList<>(parts.stream().filter(part -> part.bytes > 0).map(Part::file).toList());
    String target = result.toString();
    Staging.commit(
        storage,
        Outcome.allOf(
            context
                .parallelize(List.of(files), 1)
                .map(all ->
                    Outcome.of(() -> {
                      Path file = Staging.attempt(staging, "whole");
                      return new Staging.Move(
                          Joined.write(storage, file, new byte[0], all, new byte[0]), target);
                    }))
                .collect()));
    return List.of(target);
  }
}
