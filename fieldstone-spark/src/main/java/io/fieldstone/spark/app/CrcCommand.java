package io.fieldstone.spark.app;

import io.fieldstone.crc.ChecksumLine;
import io.fieldstone.crc.CrcCatalogue;
import io.fieldstone.crc.CrcModel;
import io.fieldstone.crc.CrcValue;
import io.fieldstone.spark.JobFailedException;
import io.fieldstone.spark.crc.ChecksumJob;
import io.fieldstone.spark.crc.FileChecksum;
import io.fieldstone.spark.storage.Storage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "crc",
    sortOptions = false,
    description = "Compute the checksums of files, or check those of a list.")
final class CrcCommand extends JobCommand {

  @Parameters(paramLabel = "PATH", description = "Files and folders.")
  private List<String> paths = new ArrayList<>();

  @Option(
      names = {"-a", "--algorithm"},
      paramLabel = "ALGORITHM",
      description = "Name or alias of a CRC in the catalogue (default: CRC-32/ISO-HDLC).")
  private String algorithm = "CRC-32/ISO-HDLC";

  @Option(
      names = {"-o", "--output"},
      paramLabel = "SUMS",
      description = "File of the list (default: standard output).")
  private @Nullable String output;

  @Option(
      names = {"-c", "--check"},
      paramLabel = "SUMS",
      description = "Check the files in a list.")
  private @Nullable String list;

  @Override
  void checkOptions() {
    model();
    if (list == null && paths.isEmpty()) {
      throw usage("missing required parameter: 'PATH' (or --check)");
    }
    if (list != null && (!paths.isEmpty() || output != null)) {
      throw usage("--check excludes PATH and -o");
    }
  }

  private CrcModel model() {
    try {
      return CrcCatalogue.model(algorithm);
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
  }

  @Override
  int run(JavaSparkContext context) throws IOException {
    ChecksumJob job = ChecksumJob.of(context, model()).withEngine(engine()).withTaskBytes(split());
    return list == null ? compute(context, job) : check(context, job, list);
  }

  private int compute(JavaSparkContext context, ChecksumJob job) throws IOException {
    List<FileChecksum> files = job.run(paths);
    StringBuilder lines = new StringBuilder();
    int status = ExitCode.OK;
    for (FileChecksum file : files) {
      if (file.checksum().isPresent()) {
        lines.append(new ChecksumLine(file.checksum().get(), file.name()).text()).append('\n');
      } else {
        warn(file.problem().orElseThrow());
        status = ExitCode.SOFTWARE;
      }
    }
    if (output != null) {
      Storage storage = Storage.of(context);
      storage.replace(storage.path(output), lines.toString().getBytes(StandardCharsets.UTF_8));
    }
    if (isJson()) {
      result(new Sums(model().name(), files.stream().map(Sum::of).toList()), "");
    } else if (output != null) {
      summary("%d files: %s".formatted(files.size(), output));
    } else if (!lines.isEmpty()) {
      println(lines.substring(0, lines.length() - 1));
    }
    return status;
  }

  /** The checksum of a file as {@code --json} prints it. */
  private record Sum(String name, long length, @Nullable String crc, @Nullable String problem) {
    static Sum of(FileChecksum file) {
      return new Sum(
          file.name(),
          file.length(),
          file.checksum().map(CrcValue::toString).orElse(null),
          file.problem().orElse(null));
    }
  }

  private record Sums(String algorithm, List<Sum> files) {}

  /** The check of a file as {@code --json} prints it. */
  private record Check(String name, String result) {}

  private record Checks(long wrong, List<Check> files) {}

  private int check(JavaSparkContext context, ChecksumJob job, String sums) throws IOException {
    Storage storage = Storage.of(context);
    CrcModel model = model();
    String text =
        new String(storage.read(storage.path(sums)), StandardCharsets.UTF_8)
            .replaceFirst("^\uFEFF", "");
    List<String> lines =
        text.lines().filter(line -> !line.isEmpty() && !line.startsWith("#")).toList();
    List<ChecksumLine> expected =
        lines.stream().flatMap(line -> ChecksumLine.parse(line, model).stream()).toList();
    if (expected.isEmpty()) {
      throw new JobFailedException("no properly formatted checksum lines found: " + sums);
    }
    if (expected.size() < lines.size()) {
      warn(
          "%d of %d lines are not properly formatted, and not checked: %s"
              .formatted(lines.size() - expected.size(), lines.size(), sums));
    }
    List<FileChecksum> actual = job.ofLines(expected);
    long wrong = 0;
    List<Check> checks = new ArrayList<>();
    for (int i = 0; i < expected.size(); i++) {
      FileChecksum file = actual.get(i);
      boolean isOk = file.checksum().equals(Optional.of(expected.get(i).checksum()));
      if (!isOk) {
        wrong++;
      }
      String result = isOk ? "OK" : file.checksum().isPresent() ? "FAILED" : "FAILED open or read";
      checks.add(new Check(file.name(), result));
    }
    if (isJson()) {
      result(new Checks(wrong, checks), "");
      return wrong == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
    }
    checks.forEach(each -> summary(each.name + ": " + each.result));
    if (wrong > 0) {
      throw new JobFailedException(
          "%d of %d checksums differ, or their files are not readable"
              .formatted(wrong, expected.size()));
    }
    return ExitCode.OK;
  }
}
