package io.fieldstone.bench.files;

import io.fieldstone.bench.measure.BenchOptions;
import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Heading;
import io.fieldstone.bench.measure.Processes;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.WorkFolder;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Report;
import io.fieldstone.bench.report.Table;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.file.EncodingParameters;
import io.fieldstone.rlnc.file.FileDecoder;
import io.fieldstone.rlnc.file.FileEncoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;

/**
 * Runs {@code bench files}: encodes and decodes files, and compares the rates with products in
 * memory and with the file system. With a launcher, it also measures whole commands.
 */
public final class FilesBenchmark {

  private static final int N = 128;
  private static final int K = 4096;
  private static final int SHARDS = 16;
  private static final double REDUNDANCY = 0.5;

  /** The generations of a product in memory, about the number in a batch of the file jobs. */
  private static final int GENERATIONS = 32;

  /** The bytes of the file that is coded before, so that the code of the file jobs is compiled. */
  private static final long WARM_UP_BYTES = 1 << 25;

  private static final int WARM_UPS = 3;
  private static final int CHUNK_BYTES = 1 << 20;
  private static final double MEGABYTE = 1e6;

  private FilesBenchmark() {}

  /**
   * Runs the benchmark.
   *
   * @throws UncheckedIOException if a file cannot be written or read
   */
  public static Report run(BenchOptions options) {
    long usual = (options.pace().allShapes() ? 1L << 30 : 1L << 26) / options.pace().shrink();
    long bytes = options.bytes().orElse(usual);
    try (Arena arena = Arena.ofShared();
        Engine engine = Engine.open(options.engine(), new EngineOptions(options.threads()));
        WorkFolder folder = WorkFolder.temporaryIn(options.folder())) {
      int steps = 1 + (options.launcher().isPresent() ? FileCommands.STEPS : 0);
      Run run = new Run(options, heading(options, bytes), steps);
      engine.warmUp(Gf256.DEFAULT);
      return run(run, engine, arena, folder.path(), bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Heading heading(BenchOptions options, long bytes) throws IOException {
    Path folder = options.folder();
    return new Heading(
        "files",
        "Files to shards and back",
        List.of(
            ("A file of %d MiB of random bytes in %s (%s), in the page cache; %d shards. All files"
                    + " are forced to the disk. The measurements take turns; best of the samples;"
                    + " 1 MB = 10^6 bytes.")
                .formatted(bytes >> 20, folder, Files.getFileStore(folder).type(), SHARDS)));
  }

  private static Report run(Run run, Engine engine, Arena arena, Path directory, long bytes)
      throws IOException {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Dense(), N, K);
    EncodingParameters parameters = new EncodingParameters(shape, SHARDS, REDUNDANCY, 1);
    warmUp(engine, parameters, Math.min(bytes, WARM_UP_BYTES), directory);
    Path source = directory.resolve("source");
    writeRandom(source, bytes);
    Path shards = directory.resolve("shards");
    ByteBuffer chunk = arena.allocate(CHUNK_BYTES).asByteBuffer();
    long coded = parameters.codedBlocks(N) * (long) GENERATIONS;
    List<Measurement> results =
        run.measureInRounds(
            "a file of %d MiB".formatted(bytes >> 20),
            List.of(
                product("encode in memory", engine, arena, parameters.codedBlocks(N), bytes),
                new Candidate("encode", bytes, () -> encode(engine, parameters, source, shards)),
                new Candidate("write", bytes, () -> writeAlone(chunk, shards, directory)),
                product("decode in memory", engine, arena, N, bytes),
                new Candidate("copy", bytes, () -> copy(source, directory.resolve("copied"))),
                new Candidate(
                    "decode",
                    bytes,
                    () ->
                        decode(
                            engine,
                            firstShards(shards, parameters),
                            directory.resolve("decoded")))));
    Table.Builder table =
        Table.named(
            "files",
            "Whole files at (%d, %d), source MB/s, %d threads"
                .formatted(N, K, run.options().threads()),
            "job",
            "products in memory",
            "file system",
            "the file",
            "file / memory",
            "file, median");
    row(table, "encode, half as much redundancy", results.get(0), results.get(2), results.get(1));
    row(table, "decode", results.get(3), results.get(4), results.get(5));
    run.publish(
        table
            .note(
                ("In memory: %d coded blocks from %d generations per product, for as many bytes."
                        + " Nothing is drawn, read, checked or written.")
                    .formatted(coded, GENERATIONS))
            .note(
                "File system: one thread writes the bytes of the shards to the same number of"
                    + " new files, or copies the file.")
            .note(
                "The file: reading, SHA-256, drawing coefficients (or inverting), products, CRC-32C"
                    + " and writing, overlapped.")
            .build());
    if (run.options().launcher().isPresent()) {
      try (Processes processes = new Processes()) {
        new FileCommands(run, processes, run.options().launcher().orElseThrow(), directory, source)
            .measure();
      }
    }
    return run.report();
  }

  private static void row(
      Table.Builder table,
      String job,
      Measurement memory,
      Measurement fileSystem,
      Measurement file) {
    table.row(
        Cell.of(job),
        Cell.of(megabytes(memory)),
        Cell.of(megabytes(fileSystem)),
        Cell.of(megabytes(file)),
        Cell.of(megabytes(file) / megabytes(memory)),
        Cell.of(file.work() * 1e9 / MEGABYTE / file.medianNanos()));
  }

  /** Converts a measurement in source bytes to MB/s. */
  private static double megabytes(Measurement measurement) {
    return measurement.work() * 1e9 / MEGABYTE / measurement.bestNanos();
  }

  /** Multiplies as many generations as a file has, and once before. */
  private static Candidate product(String name, Engine engine, Arena arena, int m, long bytes) {
    long stride = K + 64L;
    ByteMatrices sources = matrices(arena, N, K, stride);
    ByteMatrices coefficients = matrices(arena, m, N, N);
    ByteMatrices products = matrices(arena, m, K, stride);
    byte[] random = new byte[Math.toIntExact(coefficients.data().byteSize())];
    new Random(1).nextBytes(random);
    coefficients.data().copyFrom(MemorySegment.ofArray(random));
    Runnable product =
        () -> engine.products().multiply(Gf256.DEFAULT, coefficients, sources, products);
    product.run();
    long bytesOfOne = (long) GENERATIONS * N * K;
    long count = Math.ceilDiv(bytes, bytesOfOne);
    return new Candidate(
        name,
        (double) count * bytesOfOne,
        () -> {
          for (long i = 0; i < count; i++) {
            product.run();
          }
        });
  }

  private static ByteMatrices matrices(Arena arena, int rows, int columns, long stride) {
    MemorySegment data = arena.allocate(GENERATIONS * rows * stride, 64);
    return new ByteMatrices(data, GENERATIONS, rows, columns, stride, rows * stride);
  }

  private static void encode(
      Engine engine, EncodingParameters parameters, Path source, Path shards) {
    job(() -> new FileEncoder(engine, parameters).encode(source, shards, (_, _) -> {}));
  }

  private static void decode(Engine engine, List<Path> shards, Path target) {
    job(() -> new FileDecoder(engine).decode(shards, target, (_, _) -> {}));
  }

  /** Codes a small file until the code is compiled. */
  private static void warmUp(
      Engine engine, EncodingParameters parameters, long bytes, Path directory) throws IOException {
    try (WorkFolder folder = WorkFolder.in(directory, "warm-up")) {
      Path source = folder.path().resolve("source");
      Path shards = folder.path().resolve("shards");
      writeRandom(source, bytes);
      for (int i = 0; i < WARM_UPS; i++) {
        encode(engine, parameters, source, shards);
        decode(engine, firstShards(shards, parameters), folder.path().resolve("decoded"));
      }
    }
  }

  /** Selects the shards for a few blocks more than needed. */
  private static List<Path> firstShards(Path shards, EncodingParameters parameters) {
    int each = parameters.codedBlocks(N) / SHARDS;
    try (Stream<Path> all = Files.list(shards)) {
      return all.sorted().limit((N + 4) / each + 1).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void writeAlone(ByteBuffer chunk, Path shards, Path directory) {
    job(() -> {
      try (Stream<Path> all = Files.list(shards)) {
        for (Path shard : all.toList()) {
          write(directory.resolve("written-" + shard.getFileName()), Files.size(shard), chunk);
        }
      }
      return directory;
    });
  }

  private static void copy(Path from, Path to) {
    job(() -> {
      Files.deleteIfExists(to);
      Files.copy(from, to);
      try (FileChannel file = FileChannel.open(to, StandardOpenOption.WRITE)) {
        file.force(true);
      }
      return to;
    });
  }

  private static void write(Path path, long bytes, ByteBuffer chunk) throws IOException {
    Files.deleteIfExists(path);
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (long left = bytes; left > 0; ) {
        chunk.clear().limit((int) Math.min(left, chunk.capacity()));
        left -= file.write(chunk);
      }
      file.force(true);
    }
  }

  private static void writeRandom(Path path, long bytes) throws IOException {
    byte[] content = new byte[CHUNK_BYTES];
    Random random = new Random(1);
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (long left = bytes; left > 0; ) {
        random.nextBytes(content);
        left -= file.write(ByteBuffer.wrap(content, 0, (int) Math.min(left, CHUNK_BYTES)));
      }
    }
  }

  /** A job on files, whose result is ignored. */
  private interface Job {
    Object run() throws IOException, InterruptedException;
  }

  private static void job(Job job) {
    try {
      job.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted");
    }
  }
}
