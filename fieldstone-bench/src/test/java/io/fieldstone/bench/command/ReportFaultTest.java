package io.fieldstone.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cli.FaultProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The process ends at any operation that changes the disk, or the operation fails. */
class ReportFaultTest {

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void everyFileOfAReportIsOldOrNewAfterAnyFault(@TempDir Path directory) throws Exception {
    assertThat(FaultProcess.run(ReportFaultDriver.class, directory)).contains("a report: ");
  }
}
