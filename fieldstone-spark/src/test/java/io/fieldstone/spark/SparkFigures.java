package io.fieldstone.spark;

import io.fieldstone.crc.Crc;
import io.fieldstone.crc.CrcCatalogue;
import io.fieldstone.crc.CrcModel;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import io.fieldstone.rlnc.file.FileEncoder;
import io.fieldstone.sort.FileSorter;
import io.fieldstone.sort.RecordLayout;
import io.fieldstone.sort.SortListener;
import io.fieldstone.spark.coding.CodingOptions;
import io.fieldstone.spark.coding.EncodeJob;
import io.fieldstone.spark.crc.ChecksumJob;
import io.fieldstone.spark.sort.SortJob;
import io.fieldstone.stream.ProgressListener;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.apache.spark.RangePartitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;
import scala.math.Ordering;
import scala.reflect.ClassTag$;

/**
 * Measures the jobs beside the plain command and beside plain Spark, in turns, for
 * docs/benchmarks/spark.md. Arguments: the master, a folder, MiB of data, rounds, and what to
 * measure.
 */
public final class SparkFigures {

  private static final RecordLayout RECORDS =
      new RecordLayout(100, 0, new RecordLayout.ByteString(10), Direction.ASCENDING);
  private static final int FILES = 8;

  private final JavaSparkContext context;
  private final Path folder;
  private final int mebibytes;
  private final int rounds;
  private int runs;

  private SparkFigures(JavaSparkContext context, Path folder, int mebibytes, int rounds) {
    this.context = context;
    this.folder = folder;
    this.mebibytes = mebibytes;
    this.rounds = rounds;
  }

  private interface Work {
    void run(Path output) throws Exception;
  }

  /** A key whose bytes are compared as unsigned numbers. */
  private record Key(byte[] bytes) implements Serializable, Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      return Arrays.compareUnsigned(bytes, other.bytes);
    }
  }

  /** Measures all. */
  public static void main(String[] args) throws Exception {
    long start = System.nanoTime();
    SparkConf conf =
        new SparkConf()
            .setMaster(args[0])
            .setAppName("figures")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
            .set("spark.executor.extraJavaOptions", "--add-modules=jdk.incubator.vector");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      System.out.printf("start of Spark %.2f s%n", (System.nanoTime() - start) / 1e9);
      Path folder = Files.createTempDirectory(Path.of(args[1]), "figures");
      try {
        new SparkFigures(context, folder, Integer.parseInt(args[2]), Integer.parseInt(args[3]))
            .run(List.of(args).subList(4, args.length));
      } finally {
        delete(folder);
      }
    }
  }

  private void run(List<String> parts) throws Exception {
    Path input = Files.createDirectory(folder.resolve("input"));
    byte[] bytes = new byte[(mebibytes << 20) / FILES / 100 * 100];
    Path whole = folder.resolve("whole");
    try (OutputStream out = Files.newOutputStream(whole)) {
      for (int file = 0; file < FILES; file++) {
        new Random(file).nextBytes(bytes);
        Files.write(input.resolve("part-0000" + file), bytes);
        out.write(bytes);
      }
    }
    bytes = new byte[0];
    if (parts.contains("encode")) {
      compare(
          "encode: Spark / plain",
          output -> sparkEncode(whole, output),
          output -> plainEncode(whole, output));
    }
    if (parts.contains("crc")) {
      compare("crc: Spark / plain", _ -> sparkCrc(input), _ -> plainCrc(input));
      compare("crc: java.util.zip on Spark / ours", _ -> zipCrc(input), _ -> sparkCrc(input));
    }
    if (parts.contains("sort")) {
      compare(
          "sort: Spark / plain",
          output -> sparkSort(input, output),
          output -> plainSort(whole, output));
    }
    if (parts.contains("peers")) {
      compare(
          "sort: repartitionAndSortWithinPartitions / ours",
          output -> peerSort(input, output, true),
          output -> sparkSort(input, output));
      compare(
          "sort: sortByKey / ours",
          output -> peerSort(input, output, false),
          output -> sparkSort(input, output));
    }
    if (parts.contains("seconds")) {
      System.out.printf("encode %.2f s%n", median(output -> sparkEncode(whole, output)));
      System.out.printf("sort %.2f s%n", median(output -> sparkSort(input, output)));
      System.out.printf("crc %.2f s%n", median(_ -> sparkCrc(input)));
    }
  }

  private double median(Work work) throws Exception {
    time(work);
    double[] seconds = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      seconds[i] = time(work);
    }
    Arrays.sort(seconds);
    return seconds[rounds / 2];
  }

  private void compare(String name, Work one, Work other) throws Exception {
    time(one);
    time(other);
    List<Double> ratios = new ArrayList<>();
    double first = Double.MAX_VALUE;
    double second = Double.MAX_VALUE;
    for (int i = 0; i < rounds; i++) {
      double a = time(one);
      double b = time(other);
      first = Math.min(first, a);
      second = Math.min(second, b);
      ratios.add(a / b);
    }
    ratios.sort(null);
    System.out.printf(
        "%s: %.2f (%.2f to %.2f); %.2f s, %.2f s%n",
        name, ratios.get(rounds / 2), ratios.getFirst(), ratios.getLast(), first, second);
  }

  private double time(Work work) throws Exception {
    Path output = folder.resolve("output" + runs++);
    long start = System.nanoTime();
    work.run(output);
    double seconds = (System.nanoTime() - start) / 1e9;
    if (Files.exists(output)) {
      delete(output);
    }
    return seconds;
  }

  private void sparkEncode(Path file, Path output) throws IOException {
    EncodeJob.of(context, CodingOptions.DEFAULT).run(file.toString(), List.of(output.toString()));
  }

  private static void plainEncode(Path file, Path output) throws Exception {
    try (Engine engine = Engine.open("cpu")) {
      new FileEncoder(engine, CodingOptions.DEFAULT.parameters())
          .encode(file, output, ProgressListener.NONE);
    }
  }

  private void sparkCrc(Path input) throws IOException {
    ChecksumJob.of(context, CrcCatalogue.model("CRC-32/ISO-HDLC")).run(List.of(input.toString()));
  }

  private static void plainCrc(Path input) throws Exception {
    CrcModel model = CrcCatalogue.model("CRC-32/ISO-HDLC");
    try (Engine engine = Engine.open("cpu")) {
      byte[] chunk = new byte[1 << 22];
      for (int i = 0; i < FILES; i++) {
        Crc crc = Crc.of(model, engine);
        try (InputStream in = Files.newInputStream(input.resolve("part-0000" + i))) {
          for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
            crc.update(chunk, 0, count);
          }
        }
        crc.value();
      }
    }
  }

  private void zipCrc(Path input) {
    context
        .binaryFiles("file:" + input, FILES)
        .mapValues(stream -> {
          CRC32 crc = new CRC32();
          byte[] chunk = new byte[1 << 20];
          try (InputStream in = stream.open()) {
            for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
              crc.update(chunk, 0, count);
            }
          }
          return crc.getValue();
        })
        .collect();
  }

  private void sparkSort(Path input, Path output) throws IOException {
    SortJob.of(context, RECORDS).run(List.of(input.toString()), output.toString());
  }

  private static void plainSort(Path input, Path output) throws Exception {
    try (Engine engine = Engine.open("cpu")) {
      FileSorter.of(engine, RECORDS, 1L << 30).sort(input, output, SortListener.NONE);
    }
  }

  private void peerSort(Path input, Path output, boolean isRepartitioned) throws IOException {
    Files.createDirectories(output);
    int parts = Math.ceilDiv(mebibytes, 64);
    JavaPairRDD<Key, byte[]> pairs =
        context
            .binaryRecords("file:" + input, RECORDS.recordBytes())
            .mapToPair(record ->
                new Tuple2<>(
                    new Key(Arrays.copyOf(record, 10)), Arrays.copyOfRange(record, 10, 100)));
    JavaPairRDD<Key, byte[]> sorted =
        isRepartitioned
            ? pairs.repartitionAndSortWithinPartitions(
                new RangePartitioner<>(
                    parts,
                    pairs.rdd(),
                    true,
                    20,
                    Ordering.comparatorToOrdering(Comparator.<Key>naturalOrder()),
                    ClassTag$.MODULE$.<Key>apply(Key.class)))
            : pairs.sortByKey(true, parts);
    String target = output.toString();
    sorted.foreachPartition(records -> write(target, records));
  }

  private static void write(String folder, Iterator<Tuple2<Key, byte[]>> records)
      throws IOException {
    Path file = Path.of(folder, "part-%05d".formatted(TaskContext.getPartitionId()));
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      while (records.hasNext()) {
        Tuple2<Key, byte[]> next = records.next();
        out.write(next._1().bytes);
        out.write(next._2());
      }
    }
  }

  /** Not that of {@link LocalSpark}, which starts a context of its own. */
  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
