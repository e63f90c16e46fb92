package io.fieldstone.spark.figures;

import io.fieldstone.engine.Engine;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Measures the jobs beside the library and beside plain Spark, in turns, for
 * docs/benchmarks/spark.md. Arguments: the master, a folder, MiB of data, rounds, and parts: {@code
 * encode}, {@code large}, {@code decode}, {@code repair}, {@code hdfs}, {@code crc}, {@code sort},
 * {@code peers}, {@code weights=CODE}, and those of {@link ClusterFigures}.
 */
public final class Figures {

  /** The files of the data. */
  static final int FILES = 8;

  static final int PATHS = 16;
  static final int LOST = 5;
  private static final String WEIGHTS = "weights=";

  private final Path folder;
  private final long bytes;
  private final Stopwatch watch;
  private final Path files;

  /** A folder with all bytes of the files in one. */
  private final Path whole;

  /** The shards of the files are in folders of this one. */
  private final Path shards;

  private Figures(Path folder, long bytes, int rounds) throws IOException {
    this.folder = folder;
    this.bytes = bytes;
    this.watch = new Stopwatch(folder, rounds);
    this.files = Files.createDirectory(folder.resolve("files"));
    this.whole = folder.resolve("whole");
    this.shards = folder.resolve("shards");
  }

  /** Measures all. */
  public static void main(String[] args) throws Exception {
    Path folder = Files.createTempDirectory(Path.of(args[1]), "figures");
    try {
      new Figures(folder, Long.parseLong(args[2]) << 20, Integer.parseInt(args[3]))
          .run(args[0], List.of(args).subList(4, args.length));
    } finally {
      Stopwatch.delete(folder);
    }
  }

  private void run(String master, List<String> parts) throws Exception {
    byte[] content =
        new byte
            [Math.toIntExact(bytes / FILES / SparkJobs.RECORDS.recordBytes())
                * SparkJobs.RECORDS.recordBytes()];
    for (int file = 0; file < FILES; file++) {
      new Random(file).nextBytes(content);
      Files.write(files.resolve("part-%05d".formatted(file)), content);
    }
    for (String part : parts) {
      if (ClusterFigures.has(part)) {
        new ClusterFigures(folder, watch, files, whole()).measure(part);
      } else {
        onOneMachine(master, part);
      }
    }
  }

  private Path whole() throws IOException {
    if (!Files.exists(whole)) {
      try (OutputStream out =
          Files.newOutputStream(Files.createDirectory(whole).resolve("whole"))) {
        for (int file = 0; file < FILES; file++) {
          Files.copy(files.resolve("part-%05d".formatted(file)), out);
        }
      }
    }
    return whole;
  }

  private void onOneMachine(String master, String part) throws Exception {
    long start = System.nanoTime();
    SparkConf conf =
        new SparkConf()
            .setMaster(master)
            .setAppName("figures")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.driver.host", "127.0.0.1");
    try (JavaSparkContext context = new JavaSparkContext(conf);
        Engine engine = Engine.open(SparkJobs.CORES)) {
      System.out.printf("start of Spark: %.1f s%n", (System.nanoTime() - start) / 1e9);
      measure(part, SparkJobs.here(context), new LibraryJobs(engine), new PlainSpark(context));
    }
  }

  private void measure(String part, SparkJobs spark, LibraryJobs library, PlainSpark peer)
      throws Exception {
    switch (part) {
      case "encode" ->
          watch.compare(
              "encode, 8 files: Spark / library",
              output -> spark.encode(files, paths(output)),
              output -> library.encode(files, paths(output)));
      case "large" -> {
        Path file = whole();
        watch.compare(
            "encode, one file: Spark / library",
            output -> spark.encode(file, paths(output)),
            output -> library.encode(file, paths(output)));
      }
      case "decode" -> {
        List<Path> left = shards(spark).subList(LOST, PATHS);
        watch.compare(
            "decode, 5 of 16 paths lost: Spark / library",
            output -> spark.decode(left, output),
            output -> library.decode(left, output));
      }
      case "repair" -> repair(spark);
      case "hdfs" -> onHdfs(spark.context(), library);
      case "crc" ->
          watch.compare("CRC-32: Spark / library", _ -> spark.crc(files), _ -> library.crc(files));
      case "sort" -> {
        Path file = whole();
        watch.compare(
            "sort: Spark / library",
            output -> spark.sort(files, output),
            output -> library.sort(file, output));
      }
      case "peers" -> peers(spark, peer);
      default -> {
        String code = part.substring(WEIGHTS.length());
        watch.compare(
            "weights %s: Spark / library".formatted(code),
            _ -> spark.weights(code),
            _ -> library.weights(code));
      }
    }
  }

  private void repair(SparkJobs spark) throws Exception {
    List<Path> all = shards(spark);
    watch.compare(
        "one of 16 paths lost: decode and encode / repair",
        output -> {
          Path decoded = output.resolve("decoded");
          spark.decode(all.subList(1, PATHS), decoded);
          spark.encode(decoded, paths(output));
        },
        output -> {
          List<Path> paths = new ArrayList<>(all);
          paths.set(0, output);
          spark.repair(paths);
        });
  }

  /** On a NameNode and a DataNode, which write without other copies to the same folder. */
  private void onHdfs(JavaSparkContext context, LibraryJobs library) throws Exception {
    Path home = folder.resolve("hdfs");
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(new Configuration(), home.toFile()).build()) {
      cluster.waitActive();
      SparkJobs spark = new SparkJobs(context, cluster.getURI().toString(), SparkJobs.CORES);
      cluster
          .getFileSystem()
          .copyFromLocalFile(
              new org.apache.hadoop.fs.Path(files.toUri()),
              new org.apache.hadoop.fs.Path(files.toString()));
      List<Path> coded = paths(folder.resolve("coded"));
      Path decoded = folder.resolve("decoded");
      watch.compare(
          "encode, 8 files: Spark on HDFS / library on files",
          _ -> spark.encode(files, coded),
          output -> library.encode(files, paths(output)));
      List<Path> left = coded.subList(LOST, PATHS);
      List<Path> here = shards(SparkJobs.here(context)).subList(LOST, PATHS);
      watch.compare(
          "decode, 5 of 16 paths lost: Spark on HDFS / library on files",
          _ -> spark.decode(left, decoded),
          output -> library.decode(here, output));
    }
  }

  private void peers(SparkJobs spark, PlainSpark peer) throws Exception {
    watch.compare(
        "CRC-32: java.util.zip / Fieldstone", _ -> peer.crc(files), _ -> spark.crc(files));
    watch.compare(
        "sort: repartitionAndSortWithinPartitions / Fieldstone",
        output -> peer.repartitionAndSort(files, bytes, output),
        output -> spark.sort(files, output));
    watch.compare(
        "sort: sortByKey / Fieldstone",
        output -> peer.sortByKey(files, bytes, output),
        output -> spark.sort(files, output));
  }

  static List<Path> paths(Path parent) {
    return IntStream.range(0, PATHS).mapToObj(i -> parent.resolve("path" + i)).toList();
  }

  private List<Path> shards(SparkJobs spark) throws Exception {
    List<Path> paths = paths(shards);
    if (!Files.exists(shards)) {
      spark.encode(files, paths);
    }
    return paths;
  }
}
