package io.fieldstone.spark.app;

import io.fieldstone.spark.coding.CodingReport;
import io.fieldstone.spark.coding.RepairJob;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "repair",
    sortOptions = false,
    description =
        "Make the lost shards again. Give all paths, and the options of encode, as for encoding.")
final class RepairCommand extends JobCommand {

  @Parameters(arity = "1..*", paramLabel = "PATH", description = "Folders of shards, in order.")
  private List<String> paths = new ArrayList<>();

  @Mixin private ShardOptions shards = new ShardOptions();

  @Override
  void checkOptions() {
    shards.parameters(this);
  }

  @Override
  int run(JavaSparkContext context) throws IOException {
    CodingReport report =
        RepairJob.of(context, shards.parameters(this))
            .withEngine(engine())
            .withTaskBytes(split())
            .run(paths);
    report.notes().forEach(this::warn);
    return result(
        FilesResult.of(report),
        "%d shards of %d files made again".formatted(report.written().size(), report.objects()));
  }
}
