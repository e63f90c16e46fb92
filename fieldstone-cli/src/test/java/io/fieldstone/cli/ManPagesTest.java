package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

class ManPagesTest {

  @TempDir Path directory;

  @Test
  void everyCommandHasAPageWithItsOptions() throws Exception {
    ManPages.main(new String[] {directory.resolve("man1").toString()});

    for (CommandLine command : UsageTest.allCommands()) {
      String name = command.getCommandSpec().qualifiedName("-");
      String page = Files.readString(directory.resolve("man1").resolve(name + ".1"));
      assertThat(page)
          .startsWith(".TH ")
          .contains(".SH \"NAME\"\n" + name.replace("-", "\\-") + " \\- ")
          .contains(".SH \"SYNOPSIS\"", ".SH \"DESCRIPTION\"", ".SH \"SEE ALSO\"")
          .doesNotContain("%%", "${");
      for (ArgSpec argument : command.getCommandSpec().args()) {
        if (argument.hidden()) {
          continue;
        }
        if (argument.arity().max() > 0) {
          assertThat(page).contains(argument.paramLabel().replace("…", "..."));
        }
        if (argument instanceof OptionSpec option) {
          assertThat(page)
              .contains(".B \"" + String.join(", ", option.names()).replace("-", "\\-"));
        }
      }
    }
    assertThat(ManPages.all()).hasSameSizeAs(UsageTest.allCommands());
  }

  @Test
  void groffFormatsEachPageWithoutWarnings() throws Exception {
    assumeThat(isInstalled("groff")).as("groff").isTrue();
    for (Map.Entry<String, String> page : ManPages.all().entrySet()) {
      Path file = Files.writeString(directory.resolve(page.getKey()), page.getValue());
      RunOf run = groff("-ww", "-Tascii", "-P-cbou", file.toString());
      assertThat(run.err()).isEmpty();
      assertThat(run.out()).contains("NAME", "SYNOPSIS", "DESCRIPTION");
    }
  }

  private RunOf groff(String... options) throws IOException, InterruptedException {
    Path err = directory.resolve("stderr");
    Process process =
        new ProcessBuilder(TestFolder.join(new String[] {"groff", "-man"}, options))
            .redirectError(err.toFile())
            .start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes());
    return new RunOf(process.waitFor(), out, Files.readString(err));
  }

  private static boolean isInstalled(String program) {
    return List.of(System.getenv("PATH").split(":")).stream()
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
