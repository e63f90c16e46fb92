package io.fieldstone.spark.app;

import io.fieldstone.spark.coding.CodingOptions;
import io.fieldstone.spark.coding.CodingReport;
import io.fieldstone.spark.coding.EncodeJob;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "encode",
    sortOptions = false,
    description = "Encode a file, or all files of a folder, into shards over several paths.")
final class EncodeCommand extends JobCommand {

  @Parameters(paramLabel = "SOURCE", description = "File or folder.")
  private String source = "";

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "PATH",
      description = "Folder of shards; repeat it to spread the shards over several.")
  private List<String> paths = new ArrayList<>();

  @Option(names = "--force", description = "Replace existing shards.")
  private boolean isForced;

  @Mixin private ShardOptions shards = new ShardOptions();

  @Override
  void checkOptions() {
    shards.parameters(this);
  }

  /** The result as {@code --json} prints it. */
  private record Result(
      long files,
      long bytes,
      List<String> written,
      int shards,
      int sufficientShards,
      int paths,
      int sufficientPaths) {}

  @Override
  int run(JavaSparkContext context) throws IOException {
    CodingOptions options = shards.parameters(this);
    EncodeJob job = EncodeJob.of(context, options).withEngine(engine()).withTaskBytes(split());
    CodingReport report = (isForced ? job.replacing() : job).run(source, paths);
    int sufficient = options.sufficientPaths(paths.size());
    return result(
        new Result(
            report.objects(),
            report.bytes(),
            report.written(),
            options.shards(),
            options.sufficient(),
            paths.size(),
            sufficient),
        "%d files, %d bytes: %d shards, any %d of %d restore a file%s"
            .formatted(
                report.objects(),
                report.bytes(),
                report.written().size(),
                options.sufficient(),
                options.shards(),
                paths.size() == 1
                    ? ""
                    : "; any %d of %d paths are sufficient".formatted(sufficient, paths.size())));
  }
}
