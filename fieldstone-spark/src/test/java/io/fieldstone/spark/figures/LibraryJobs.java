package io.fieldstone.spark.figures;

import io.fieldstone.crc.Crc;
import io.fieldstone.crc.CrcCatalogue;
import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.file.FileDecoder;
import io.fieldstone.rlnc.file.FileEncoder;
import io.fieldstone.sort.FileSorter;
import io.fieldstone.sort.SortListener;
import io.fieldstone.spark.coding.CodingOptions;
import io.fieldstone.stream.ProgressListener;
import io.fieldstone.weights.JointProgress;
import io.fieldstone.weights.JointRunner;
import io.fieldstone.weights.JointWeights;
import io.fieldstone.weights.codes.CodeFamily;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The library alone, file by file, with an engine of all cores. */
record LibraryJobs(Engine engine) implements Jobs {

  private static final long SORT_BYTES = 4L << 30;

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  /** Encodes into the first path, as the command does. */
  @Override
  public void encode(Path folder, List<Path> paths) throws Exception {
    FileEncoder encoder = new FileEncoder(engine, CodingOptions.DEFAULT.parameters());
    for (Path file : files(folder)) {
      encoder.encode(file, paths.getFirst(), ProgressListener.NONE);
    }
  }

  @Override
  public void decode(List<Path> paths, Path output) throws Exception {
    Map<String, List<Path>> objects = new TreeMap<>();
    for (Path path : paths) {
      for (Path shard : Files.exists(path) ? files(path) : List.<Path>of()) {
        String name = shard.getFileName().toString();
        objects
            .computeIfAbsent(name.substring(0, name.length() - 7), _ -> new ArrayList<>())
            .add(shard);
      }
    }
    Files.createDirectories(output);
    for (Map.Entry<String, List<Path>> object : objects.entrySet()) {
      new FileDecoder(engine)
          .decode(object.getValue(), output.resolve(object.getKey()), ProgressListener.NONE);
    }
  }

  /** On one core: a CRC has no more threads than it has callers. */
  @Override
  public void crc(Path folder) throws Exception {
    byte[] chunk = new byte[1 << 22];
    for (Path file : files(folder)) {
      Crc crc = Crc.of(CrcCatalogue.model(SparkJobs.CRC), engine);
      try (InputStream in = Files.newInputStream(file)) {
        for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
          crc.update(chunk, 0, count);
        }
      }
      crc.value();
    }
  }

  /** Sorts the only file of a folder. */
  @Override
  public void sort(Path folder, Path output) throws Exception {
    FileSorter.of(engine, SparkJobs.RECORDS, SORT_BYTES)
        .sort(files(folder).getFirst(), output, SortListener.NONE);
  }

  @Override
  public void weights(String code) throws Exception {
    JointWeights weights = JointWeights.of(CodeFamily.parse(code), engine);
    JointRunner.of(weights, JointProgress.NONE).run(weights.plan(JointWeights.AUTO));
  }
}
