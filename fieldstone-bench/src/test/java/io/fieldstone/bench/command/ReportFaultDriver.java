package io.fieldstone.bench.command;

import io.fieldstone.bench.report.Machine;
import io.fieldstone.bench.report.Report;
import io.fieldstone.bench.report.ReportFolder;
import io.fieldstone.bench.report.Table;
import io.fieldstone.cli.FaultDriver;
import io.fieldstone.cli.RunOf;
import io.fieldstone.cli.console.ErrorLine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes the files of {@code bench -o} without measurements. {@link ReportFaultTest} starts it. */
final class ReportFaultDriver {

  private ReportFaultDriver() {}

  public static void main(String[] args) throws Exception {
    FaultDriver.check(
        Path.of(args[0]),
        List.of(
            new FaultDriver.Scenario(
                "a report",
                directory -> {
                  Path reports = Files.createDirectory(directory.resolve("reports"));
                  FaultDriver.own(Files.writeString(reports.resolve("sample.md"), "old"));
                },
                ReportFaultDriver::report,
                false)));
  }

  private static RunOf report(Path directory) {
    Table table = new Table("empty", "An empty table", List.of("column"), List.of(), List.of());
    Report report =
        new Report(
            "sample",
            "A sample",
            new Machine("a processor", 1, "Linux", "25", 0),
            "fieldstone bench sample",
            0,
            List.of("Nothing."),
            List.of(table),
            List.of());
    try {
      new ReportFolder(directory.resolve("reports")).partAdded(report, table);
      return new RunOf(0, "", "");
    } catch (Exception | Error e) {
      return new RunOf(1, "", ErrorLine.of(e));
    }
  }
}
