package io.fieldstone.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FileCommandsTest {

  @Test
  void findsTheStagesInVerboseOutput() {
    String output =
        """
        fieldstone: stage read     busy   0.02 s, 758.1 MiB/s
        fieldstone: method lsd
        fieldstone: stage compute  busy  12.50 s, 1.0 GiB/s
        """;

    assertThat(FileCommands.stages(output)).isEqualTo("read 0.02, compute 12.50");
    assertThat(FileCommands.stages("fieldstone: done\n")).isEmpty();
  }
}
