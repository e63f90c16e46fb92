package io.fieldstone.spark.figures;

import io.fieldstone.crc.CrcCatalogue;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import io.fieldstone.sort.RecordLayout;
import io.fieldstone.spark.coding.CodingOptions;
import io.fieldstone.spark.coding.DecodeJob;
import io.fieldstone.spark.coding.EncodeJob;
import io.fieldstone.spark.coding.RepairJob;
import io.fieldstone.spark.crc.ChecksumJob;
import io.fieldstone.spark.sort.SortJob;
import io.fieldstone.spark.weights.WeightsJob;
import io.fieldstone.weights.JointWeightDistribution;
import io.fieldstone.weights.codes.CodeFamily;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * The jobs of this module, which replace existing files.
 *
 * @param context where they run
 * @param fileSystem the scheme and the authority before all paths; empty for files of this machine
 * @param engine that of the tasks which code or compute weights
 */
record SparkJobs(JavaSparkContext context, String fileSystem, String engine) implements Jobs {

  static final RecordLayout RECORDS =
      new RecordLayout(100, 0, new RecordLayout.ByteString(10), Direction.ASCENDING);
  static final String CRC = "CRC-32/ISO-HDLC";

  /** The engine of the library beside which the jobs are measured, also where there is a GPU. */
  static final String CORES = "cpu";

  /** Returns the jobs on files of this machine, by the cores. */
  static SparkJobs here(JavaSparkContext context) {
    return new SparkJobs(context, "", CORES);
  }

  private String name(Path path) {
    return fileSystem + path;
  }

  private List<String> names(List<Path> paths) {
    return paths.stream().map(this::name).toList();
  }

  @Override
  public void encode(Path folder, List<Path> paths) throws Exception {
    encode(folder, paths, CodingOptions.DEFAULT);
  }

  /** Encodes each file. */
  void encode(Path folder, List<Path> paths, CodingOptions options) throws Exception {
    EncodeJob.of(context, options).withEngine(engine).replacing().run(name(folder), names(paths));
  }

  @Override
  public void decode(List<Path> paths, Path output) throws Exception {
    DecodeJob.of(context).withEngine(engine).replacing().run(names(paths), name(output));
  }

  /** Makes the shards of paths that do not exist again. */
  void repair(List<Path> paths) throws Exception {
    RepairJob.of(context, CodingOptions.DEFAULT).run(names(paths));
  }

  @Override
  public void crc(Path folder) throws Exception {
    ChecksumJob.of(context, CrcCatalogue.model(CRC)).run(List.of(name(folder)));
  }

  @Override
  public void sort(Path folder, Path output) throws Exception {
    SortJob.of(context, RECORDS).replacing().run(List.of(name(folder)), name(output));
  }

  @Override
  public void weights(String code) throws Exception {
    JointWeightDistribution _ = joint(code);
  }

  /** Computes the joint weights of a code. */
  JointWeightDistribution joint(String code) throws Exception {
    return WeightsJob.of(context, CodeFamily.parse(code)).withEngine(engine).run();
  }
}
