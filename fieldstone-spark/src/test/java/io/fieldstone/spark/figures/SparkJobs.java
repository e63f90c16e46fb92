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
import io.fieldstone.weights.codes.CodeFamily;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * The jobs of this module, which replace existing files.
 *
 * @param context where they run
 * @param fileSystem the scheme and the authority before all paths; empty for files of this machine
 */
record SparkJobs(JavaSparkContext context, String fileSystem) implements Jobs {

  static final RecordLayout RECORDS =
      new RecordLayout(100, 0, new RecordLayout.ByteString(10), Direction.ASCENDING);
  static final String CRC = "CRC-32/ISO-HDLC";

  private String name(Path path) {
    return fileSystem + path;
  }

  private List<String> names(List<Path> paths) {
    return paths.stream().map(this::name).toList();
  }

  @Override
  public void encode(Path folder, List<Path> paths) throws Exception {
    EncodeJob.of(context, CodingOptions.DEFAULT).replacing().run(name(folder), names(paths));
  }

  @Override
  public void decode(List<Path> paths, Path output) throws Exception {
    DecodeJob.of(context).replacing().run(names(paths), name(output));
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
    WeightsJob.of(context, CodeFamily.parse(code)).run();
  }
}
