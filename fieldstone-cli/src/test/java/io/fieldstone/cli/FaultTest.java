package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The process ends at any operation that changes the disk, or the operation fails: every output is
 * old or new, with mode and owner as before, and the next run deletes all temporary files.
 */
class FaultTest {

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void everyOutputIsOldOrNewAfterAnyFault(@TempDir Path directory) throws Exception {
    assertThat(FaultProcess.run(FaultDriver.class, directory))
        .contains("encode over more shards: ", "relays with a map and stars: ");
  }
}
