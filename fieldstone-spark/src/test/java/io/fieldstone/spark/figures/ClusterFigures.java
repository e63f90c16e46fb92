package io.fieldstone.spark.figures;

import io.fieldstone.spark.ExecutorEngine;
import io.fieldstone.spark.LocalCluster;
import io.fieldstone.spark.LocalCluster.Shape;
import io.fieldstone.spark.coding.CodingOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Measures the jobs on a standalone master with executors in processes of their own, by two parts
 * of {@link Figures}.
 *
 * <ul>
 *   <li>{@code executors=1x4,2x4}: the times on one executor of four cores, and on two;
 *   <li>{@code gpus=1,2}: the times on one executor of four cores and a GPU, and on two with a GPU
 *       each, beside those of their cores. A result that differs is an error.
 * </ul>
 */
record ClusterFigures(Path folder, Stopwatch watch, Path files, Path whole) {

  private static final String EXECUTORS = "executors=";
  private static final String GPUS = "gpus=";
  private static final int GPU_CORES = 4;
  private static final String MEMORY = "5g";
  private static final String CODE = "bch:127,36";

  /** Three times as many multiplications for a byte as with the default. */
  private static final CodingOptions MANY_PRODUCTS = new CodingOptions(64, 4096, 8, 32, 1);

  /** Returns true if a part is one of this class. */
  static boolean has(String part) {
    return part.startsWith(EXECUTORS) || part.startsWith(GPUS);
  }

  /** Measures a part. */
  void measure(String part) throws Exception {
    for (String shape : part.substring(part.indexOf('=') + 1).split(",")) {
      if (part.startsWith(GPUS)) {
        onGpus(new Shape(Integer.parseInt(shape), GPU_CORES, MEMORY, true));
      } else {
        String[] numbers = shape.split("x");
        onCores(
            new Shape(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]), MEMORY, false));
      }
    }
  }

  private LocalCluster start(Shape shape) throws Exception {
    return LocalCluster.start(Files.createTempDirectory(folder, "cluster"), shape);
  }

  private void onCores(Shape shape) throws Exception {
    String where = "%d executor(s) of %d core(s), ".formatted(shape.executors(), shape.cores());
    try (LocalCluster cluster = start(shape);
        JavaSparkContext context = new JavaSparkContext(cluster.conf())) {
      SparkJobs spark = SparkJobs.here(context);
      watch.print(where + "encode", output -> spark.encode(files, Figures.paths(output)));
      watch.print(where + "encode, one file", output -> spark.encode(whole, Figures.paths(output)));
      Path coded = Files.createTempDirectory(folder, "coded");
      List<Path> all = Figures.paths(coded);
      spark.encode(files, all);
      watch.print(
          where + "decode",
          output -> spark.decode(all.subList(Figures.LOST, Figures.PATHS), output));
      watch.print(
          where + "repair",
          output -> {
            List<Path> paths = new ArrayList<>(all);
            paths.set(0, output);
            spark.repair(paths);
          });
      Stopwatch.delete(coded);
      watch.print(where + "CRC-32", _ -> spark.crc(files));
      watch.print(where + "sort", output -> spark.sort(files, output));
      watch.print(where + "weights " + CODE, _ -> spark.weights(CODE));
    }
  }

  private void onGpus(Shape shape) throws Exception {
    String where =
        "%d executor(s) of %d cores, each with a GPU, ".formatted(shape.executors(), GPU_CORES);
    try (LocalCluster cluster = start(shape);
        JavaSparkContext context = new JavaSparkContext(cluster.conf())) {
      SparkJobs gpu = new SparkJobs(context, "", ExecutorEngine.AUTO);
      SparkJobs cores = SparkJobs.here(context);
      attempt(where + "encode", name -> encodeOnGpus(name, gpu, cores, CodingOptions.DEFAULT));
      attempt(where + "encode, any 8 of 32", name -> encodeOnGpus(name, gpu, cores, MANY_PRODUCTS));
      attempt(where + "decode", name -> decodeOnGpus(name, gpu, cores));
      attempt(where + "weights " + CODE, name -> weightsOnGpus(name, gpu, cores));
    }
  }

  /** A measurement on executors with GPUs. */
  private interface Measurement {
    void run(String name) throws Exception;
  }

  /** Measures, or prints why not: the other measurements follow. */
  private static void attempt(String name, Measurement measurement) {
    try {
      measurement.run(name);
    } catch (Exception e) {
      System.out.printf("%s: failed: %s%n", name, e.toString().lines().findFirst().orElseThrow());
    }
  }

  private void weightsOnGpus(String name, SparkJobs gpu, SparkJobs cores) throws Exception {
    requireEqual(gpu.joint(CODE), cores.joint(CODE), CODE);
    watch.compare(name + ": GPUs / cores", _ -> gpu.weights(CODE), _ -> cores.weights(CODE));
  }

  private void encodeOnGpus(String name, SparkJobs gpu, SparkJobs cores, CodingOptions options)
      throws Exception {
    Path coded = Files.createTempDirectory(folder, "coded");
    gpu.encode(files, Figures.paths(coded.resolve("gpu")), options);
    cores.encode(files, Figures.paths(coded.resolve("cores")), options);
    requireSameFiles(coded.resolve("gpu"), coded.resolve("cores"));
    Stopwatch.delete(coded);
    watch.compare(
        name + ": GPUs / cores",
        output -> gpu.encode(files, Figures.paths(output), options),
        output -> cores.encode(files, Figures.paths(output), options));
  }

  private void decodeOnGpus(String name, SparkJobs gpu, SparkJobs cores) throws Exception {
    Path coded = Files.createTempDirectory(folder, "coded");
    cores.encode(files, Figures.paths(coded));
    List<Path> left = Figures.paths(coded).subList(Figures.LOST, Figures.PATHS);
    Path decoded = Files.createTempDirectory(folder, "decoded");
    gpu.decode(left, decoded);
    requireSameFiles(decoded, files);
    Stopwatch.delete(decoded);
    watch.compare(
        name + ": GPUs / cores",
        output -> gpu.decode(left, output),
        output -> cores.decode(left, output));
    Stopwatch.delete(coded);
  }

  private static void requireSameFiles(Path one, Path other) throws IOException {
    requireEqual(names(one), names(other), "the files in " + one);
    for (String name : names(one)) {
      requireEqual(Files.mismatch(one.resolve(name), other.resolve(name)), -1L, name);
    }
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  private static void requireEqual(Object one, Object other, String name) {
    if (!one.equals(other)) {
      throw new IllegalStateException("the GPUs have another result: " + name);
    }
  }
}
