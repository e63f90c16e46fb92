package io.fieldstone.bench.net.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ToolsTest {

  private static final String JAVA = System.getProperty("java.home") + "/bin/java";

  @Test
  void peersAreStartedByTheLauncher() {
    assertThat(Tools.start(Optional.of("/opt/bin/fieldstone"), List.of("-Xmx512m"), "a.jar"))
        .containsExactly("/opt/bin/fieldstone", "peer");
  }

  @Test
  void peersWithoutALauncherGetTheOptionsOfThisJvm() {
    List<String> own =
        List.of(
            "-XX:+UseTransparentHugePages",
            "-javaagent:agent.jar",
            "-Dio.netty.noUnsafe=false",
            "--sun-misc-unsafe-memory-access=allow");
    assertThat(Tools.start(Optional.empty(), own, "a.jar"))
        .startsWith(
            JAVA,
            "-XX:+UseTransparentHugePages",
            "-Dio.netty.noUnsafe=false",
            "--sun-misc-unsafe-memory-access=allow")
        .doesNotContain("-javaagent:agent.jar");
  }

  @Test
  void peersWithoutALauncherLoadTheModuleOfVectors() {
    assertThat(
            Tools.start(
                Optional.empty(), List.of("-Xmx512m", "--add-modules=ALL-DEFAULT"), "a.jar:b.jar"))
        .containsExactly(
            JAVA,
            "-Xmx512m",
            "--enable-native-access=ALL-UNNAMED",
            "--add-modules=jdk.incubator.vector",
            "-cp",
            "a.jar:b.jar");
  }
}
