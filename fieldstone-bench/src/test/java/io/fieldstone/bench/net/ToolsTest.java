package io.fieldstone.bench.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ToolsTest {

  @Test
  void peersAreStartedAsCommandsOfTheNetwork() {
    List<String> own =
        List.of(
            "-XX:+UseTransparentHugePages",
            "-javaagent:agent.jar",
            "-Dfieldstone.launcher=/opt/bin/fieldstone",
            "-Dio.netty.noUnsafe=false",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:-AOTReplayTraining",
            "-XX:AOTCache=/opt/lib/files.aot");
    assertThat(Tools.options(own, "/opt/lib/fieldstone.jar"))
        .containsExactly(
            "-XX:+UseTransparentHugePages",
            "-Dio.netty.noUnsafe=false",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:AOTCache=/opt/lib/network.aot",
            "-jar",
            "/opt/lib/fieldstone.jar",
            "peer");
  }

  @Test
  void peersWithoutACacheLoadTheModuleOfVectors() {
    assertThat(Tools.options(List.of("-Xmx512m", "--add-modules=ALL-DEFAULT"), "a.jar:b.jar"))
        .containsExactly(
            "-Xmx512m",
            "--enable-native-access=ALL-UNNAMED",
            "--add-modules=jdk.incubator.vector",
            "-cp",
            "a.jar:b.jar");
  }
}
