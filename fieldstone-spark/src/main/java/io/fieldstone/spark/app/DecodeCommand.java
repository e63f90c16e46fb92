package io.fieldstone.spark.app;

import io.fieldstone.spark.coding.CodingReport;
import io.fieldstone.spark.coding.DecodeJob;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "decode",
    sortOptions = false,
    description = "Decode all files whose shards are in some paths, of which some may be lost.")
final class DecodeCommand extends JobCommand {

  @Parameters(arity = "1..*", paramLabel = "PATH", description = "Folders of shards.")
  private List<String> paths = new ArrayList<>();

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "DIR",
      description = "Folder of the files.")
  private String target = "";

  @Option(names = "--force", description = "Replace existing files.")
  private boolean isForced;

  @Override
  int run(JavaSparkContext context) throws IOException {
    DecodeJob job = DecodeJob.of(context).withEngine(engine()).withTaskBytes(split());
    CodingReport report = (isForced ? job.replacing() : job).run(paths, target);
    report.notes().forEach(this::warn);
    return result(
        FilesResult.of(report), "%d files, %d bytes".formatted(report.objects(), report.bytes()));
  }
}
