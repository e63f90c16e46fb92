package io.fieldstone.spark.crc;

import io.fieldstone.crc.ChecksumLine;
import io.fieldstone.crc.Crc;
import io.fieldstone.crc.CrcModel;
import io.fieldstone.crc.CrcValue;
import io.fieldstone.engine.Engine;
import io.fieldstone.spark.ExecutorEngine;
import io.fieldstone.spark.Outcome;
import io.fieldstone.spark.storage.Splits;
import io.fieldstone.spark.storage.Splits.Range;
import io.fieldstone.spark.storage.Storage;
import io.fieldstone.spark.storage.StoredFile;
import io.fieldstone.stream.NativeMemory;
import io.fieldstone.stream.file.PositionedInput;
import java.io.IOException;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Computes the checksums of files on a cluster. A task takes ranges of bytes: a part of a huge
 * file, or many small files. The driver combines the checksums of the ranges of a file, so that the
 * result is that of {@code fieldstone crc}.
 *
 * {@snippet :
 * ChecksumJob job = ChecksumJob.of(context, CrcCatalogue.model("CRC-64/XZ"));
 * for (FileChecksum file : job.run(List.of("hdfs:///archive"))) { … }
 * }
 *
 * <p>The driver needs about 500 bytes of memory for each file. Immutable and thread-safe.
 */
public final class ChecksumJob {

  private static final int CHUNK_BYTES = 1 << 20;

  private final JavaSparkContext context;
  private final CrcModel model;
  private final String engine;
  private final long taskBytes;

  private ChecksumJob(JavaSparkContext context, CrcModel model, String engine, long taskBytes) {
    this.context = context;
    this.model = model;
    this.engine = engine;
    this.taskBytes = taskBytes;
  }

  /** Returns a job with tasks of {@link Splits#DEFAULT_BYTES}. */
  public static ChecksumJob of(JavaSparkContext context, CrcModel model) {
    return new ChecksumJob(context, model, ExecutorEngine.AUTO, Splits.DEFAULT_BYTES);
  }

  /** Returns a job whose tasks use an engine ({@link ExecutorEngine#ofTask}). */
  public ChecksumJob withEngine(String spec) {
    return new ChecksumJob(context, model, spec, taskBytes);
  }

  /**
   * Returns a job with tasks of another size.
   *
   * @throws IllegalArgumentException if it is less than 1
   */
  public ChecksumJob withTaskBytes(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("tasks of %d bytes, less than 1".formatted(bytes));
    }
    return new ChecksumJob(context, model, engine, bytes);
  }

  /** The checksum of a range: the bits of a {@link CrcValue}. */
  private record RangeSum(int file, long bytes, long high, long low) implements Serializable {}

  /** The file of a range, and its checksum unless the file cannot be read. */
  private record Part(int file, Outcome<RangeSum> sum) implements Serializable {}

  /**
   * Computes the checksums of files, and of those in folders and their subfolders.
   *
   * @param roots files and folders; the names of the files begin with these
   * @return the files in the order of {@code fieldstone crc -r}; one that cannot be read has a
   *     problem
   * @throws IOException if a root does not exist or cannot be listed
   */
  public List<FileChecksum> run(List<String> roots) throws IOException {
    Storage storage = Storage.of(context);
    List<StoredFile> files = new ArrayList<>();
    for (String root : roots) {
      files.addAll(storage.list(root));
    }
    return compute(storage, files);
  }

  /**
   * Computes the checksums of the files of a list of checksums. One that does not exist has a
   * problem.
   *
   * @param lines the names are paths
   * @return the checksums in the order of the lines
   */
  public List<FileChecksum> ofLines(List<ChecksumLine> lines) throws IOException {
    if (lines.isEmpty()) {
      return List.of();
    }
    Storage storage = Storage.of(context);
    List<String> names = lines.stream().map(ChecksumLine::name).toList();
    int tasks =
        Math.max(
            Math.min(names.size(), context.defaultParallelism()),
            Math.ceilDiv(names.size(), Splits.MAX_RANGES));
    List<Outcome<StoredFile>> found =
        context
            .parallelize(names, tasks)
            .map(name -> Outcome.of(() -> storage.file(name)))
            .collect();
    List<StoredFile> files = new ArrayList<>();
    for (Outcome<StoredFile> file : found) {
      StoredFile value = file.value();
      if (value != null) {
        files.add(value);
      }
    }
    Iterator<FileChecksum> computed = compute(storage, files).iterator();
    List<FileChecksum> all = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      String problem = found.get(i).problem();
      all.add(
          problem == null
              ? computed.next()
              : new FileChecksum(names.get(i), 0, Optional.empty(), Optional.of(problem)));
    }
    return all;
  }

  /** Returns the checksums as a data set with the columns {@code name, length, crc, problem}. */
  public Dataset<Row> dataset(SparkSession session, List<String> roots) throws IOException {
    StructType columns =
        new StructType()
            .add("name", DataTypes.StringType, false)
            .add("length", DataTypes.LongType, false)
            .add("crc", DataTypes.StringType, true)
            .add("problem", DataTypes.StringType, true);
    List<Row> rows =
        run(roots).stream()
            .map(file ->
                RowFactory.create(
                    file.name(),
                    file.length(),
                    file.checksum().map(CrcValue::toString).orElse(null),
                    file.problem().orElse(null)))
            .toList();
    return session.createDataFrame(rows, columns);
  }

  private List<FileChecksum> compute(Storage storage, List<StoredFile> files) {
    List<Long> lengths = files.stream().map(StoredFile::length).toList();
    List<Range> ranges = Splits.ranges(lengths, _ -> taskBytes);
    List<ArrayList<NamedRange>> tasks =
        Splits.pack(ranges, Range::bytes, taskBytes).stream()
            .map(task -> {
              ArrayList<NamedRange> named = new ArrayList<>();
              task.forEach(
                  range -> named.add(new NamedRange(range, files.get(range.file()).path())));
              return named;
            })
            .toList();
    ModelText text = ModelText.of(model);
    String spec = engine;
    List<Part> parts =
        tasks.isEmpty()
            ? List.of()
            : context
                .parallelize(tasks, tasks.size())
                .flatMap(task -> sums(storage, text.model(), spec, task).iterator())
                .collect();
    return combine(files, parts);
  }

  /** A range and the path of its file. */
  private record NamedRange(Range range, String path) implements Serializable {}

  private static List<Part> sums(
      Storage storage, CrcModel model, String spec, List<NamedRange> task)
      throws IOException, InterruptedException {
    Engine engine = ExecutorEngine.ofTask(spec);
    Crc crc = Crc.of(model, engine);
    List<Part> sums = new ArrayList<>();
    try (NativeMemory memory = new NativeMemory(engine)) {
      MemorySegment chunk = memory.allocate(CHUNK_BYTES);
      for (NamedRange each : task) {
        sums.add(
            new Part(
                each.range.file(),
                Outcome.of(() -> sum(storage, crc, each.path, each.range, chunk))));
      }
    }
    return sums;
  }

  private static RangeSum sum(
      Storage storage, Crc crc, String path, Range range, MemorySegment chunk) throws IOException {
    crc.reset();
    try (PositionedInput in = storage.open(path)) {
      for (long done = 0; done < range.bytes(); done += chunk.byteSize()) {
        MemorySegment next = chunk.asSlice(0, Math.min(chunk.byteSize(), range.bytes() - done));
        in.readFully(next, range.from() + done);
        crc.update(next);
      }
    }
    CrcValue value = crc.value();
    return new RangeSum(range.file(), range.bytes(), value.high(), value.low());
  }

  /** Combines the checksums of ranges, which are in order. */
  private List<FileChecksum> combine(List<StoredFile> files, List<Part> parts) {
    Crc crc = Crc.of(model);
    List<FileChecksum> results = new ArrayList<>();
    int at = 0;
    for (int file = 0; file < files.size(); file++) {
      CrcValue sum = crc.zeros(0);
      Optional<String> problem = Optional.empty();
      for (; at < parts.size() && parts.get(at).file == file; at++) {
        Outcome<RangeSum> part = parts.get(at).sum;
        RangeSum range = part.value();
        if (range == null) {
          problem = Optional.of(String.valueOf(part.problem()));
        } else {
          CrcValue value = new CrcValue(model.width(), range.high, range.low);
          sum = crc.combine(sum, value, range.bytes);
        }
      }
      String name = files.get(file).name();
      results.add(
          problem.isPresent()
              ? new FileChecksum(name, 0, Optional.empty(), problem)
              : new FileChecksum(
                  name, files.get(file).length(), Optional.of(sum), Optional.empty()));
    }
    return results;
  }
}
