package io.fieldstone.spark.app;

import io.fieldstone.spark.JobFailedException;
import io.fieldstone.spark.storage.Storage;
import io.fieldstone.spark.weights.WeightsForecast;
import io.fieldstone.spark.weights.WeightsJob;
import io.fieldstone.weights.JointWeightDistribution;
import io.fieldstone.weights.JointWeights;
import io.fieldstone.weights.codes.BinaryCode;
import io.fieldstone.weights.codes.CodeFamily;
import io.fieldstone.weights.codes.MalformedMatrixException;
import io.fieldstone.weights.codes.MatrixText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "weights",
    sortOptions = false,
    description = "Compute the joint weight distribution of a binary code.")
final class WeightsCommand extends JobCommand {

  @Parameters(
      paramLabel = "CODE",
      description = "A name, such as bch:127,22, or a file with the rows of a generator matrix.")
  private String codeName = "";

  @SuppressWarnings("UnusedVariable") // picocli reads the annotation
  @Option(
      names = "--joint",
      required = true,
      description = "The joint distribution. That of one word takes no cluster.")
  private boolean isJoint;

  @Option(names = "--method", paramLabel = "METHOD", description = "Method (default: auto).")
  private String method = JointWeights.AUTO;

  @Option(names = "--plan", description = "Only print the method and its predicted cost.")
  private boolean isPlan;

  @Option(
      names = "--resume",
      paramLabel = "FILE",
      description = "Save the state in FILE, and continue from it if it exists.")
  private @Nullable String checkpoint;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE.csv",
      description = "File of the counts (default: standard output).")
  private @Nullable String output;

  @Override
  int run(JavaSparkContext context) throws IOException {
    Storage storage = Storage.of(context);
    WeightsJob job = WeightsJob.of(context, code(storage)).withEngine(engine()).withMethod(method);
    WeightsForecast forecast = forecast(job);
    if (isPlan) {
      return isJson() ? result(forecast, "") : printed(forecast.text());
    }
    if (forecast.obstacle().isPresent()) {
      throw usage("code %s is too large: %s".formatted(codeName, forecast.text()));
    }
    warn(forecast.text());
    JointWeightDistribution result =
        (checkpoint == null ? job : job.withCheckpoint(checkpoint)).run();
    StringBuilder csv = new StringBuilder("x,y,z,count\n");
    for (JointWeightDistribution.Entry entry : result.entries()) {
      csv.append("%d,%d,%d,%d\n".formatted(entry.x(), entry.y(), entry.z(), entry.count()));
    }
    if (output != null) {
      storage.replace(storage.path(output), csv.toString().getBytes(StandardCharsets.UTF_8));
    }
    if (isJson()) {
      result(new Result(forecast.method(), result.entries()), "");
    } else if (output == null) {
      println(csv.substring(0, csv.length() - 1));
    } else {
      summary("%d joint weights: %s".formatted(result.entries().size(), output));
    }
    if (checkpoint != null) {
      storage.delete(storage.path(checkpoint));
    }
    return ExitCode.OK;
  }

  private int printed(String line) {
    println(line);
    return ExitCode.OK;
  }

  /** The result as {@code --json} prints it. */
  private record Result(String method, List<JointWeightDistribution.Entry> joint) {}

  private WeightsForecast forecast(WeightsJob job) {
    try {
      return job.forecast();
    } catch (IllegalArgumentException e) {
      throw usage("--method: " + e.getMessage());
    }
  }

  private BinaryCode code(Storage storage) throws IOException {
    if (CodeFamily.isName(codeName)) {
      return CodeFamily.parse(codeName);
    }
    Path file = storage.path(codeName);
    try {
      return BinaryCode.of(
          MatrixText.parse(codeName, new String(storage.read(file), StandardCharsets.UTF_8)));
    } catch (IllegalArgumentException | MalformedMatrixException e) {
      throw new JobFailedException(e.getMessage() + ": " + codeName, e);
    }
  }
}
