package io.fieldstone.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.testing.ChildJvm;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Without native access, which the JDK will deny by default, all jobs run in plain Java, in a JVM
 * of its own. {@code -Dfieldstone.denied=all} runs the conformance suite there, which takes 12 s.
 */
class DeniedNativeAccessTest {

  private static final boolean IS_ALL = System.getProperty("fieldstone.denied", "").equals("all");

  @Test
  void allJobsRunAndOneLineSaysWhyTheyAreSlow() throws Exception {
    String printed =
        ChildJvm.runOnly(
            List.of("--illegal-native-access=deny"),
            PlainJobs.class,
            IS_ALL ? new String[] {"all"} : new String[0]);

    List<String> lines = new ArrayList<>(printed.lines().toList());
    List<String> warnings =
        lines.stream().filter(line -> line.contains("the JVM denies native access")).toList();
    assertThat(warnings)
        .singleElement()
        .asString()
        .contains("engine cpu: all jobs run slowly", "--enable-native-access=ALL-UNNAMED permits");
    // The line before has the date of the log.
    lines.subList(0, lines.indexOf(warnings.getFirst()) + 1).clear();
    try (Engine engine = Engine.open("cpu")) {
      assertThat(lines).isEqualTo(PlainJobs.results(engine));
    }
  }
}
