package io.fieldstone.net.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.endpoint.EndpointSettings;
import io.fieldstone.net.server.Server;
import io.fieldstone.net.server.ServerSettings;
import io.fieldstone.stream.ProgressListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of docs/dashboard.md, "Library", between the markers. */
class DashboardGuideTest {

  private static final String SOURCE =
      "src/test/java/io/fieldstone/net/dashboard/DashboardGuideTest.java";

  @TempDir private Path state;

  @Test
  void theExampleRuns() throws Exception {
    Path file = Files.write(state.resolve("film.mkv"), new byte[1000]);
    InetSocketAddress any = InetSocketAddress.createUnresolved("127.0.0.1", 0);
    // Guide begin
    EndpointSettings endpoint =
        EndpointSettings.of(state).withListen(any).withHttp(Optional.of(any));
    try (Engine engine = Engine.open("auto");
        Server server =
            Server.start(
                engine, ServerSettings.of(List.of(file), endpoint), ProgressListener.NONE)) {
      System.out.println("open http://127.0.0.1:" + server.httpAddress().orElseThrow().getPort());
      for (Snapshot.Peer peer : server.snapshot().peers()) {
        System.out.println(peer.address() + " was sent " + peer.sentBytes() + " bytes");
      }
    }
    // Guide end
  }

  /** Maven runs the tests of a module in its folder. */
  @Test
  void equalsTheExampleOfTheGuide() throws IOException {
    String source = Files.readString(Path.of(SOURCE));
    int begin = source.indexOf("    // Guide begin\n");
    int end = source.indexOf("    // Guide end\n");
    String example = source.substring(source.indexOf('\n', begin) + 1, end - 1).stripIndent();

    assertThat(Files.readString(Path.of("../docs/dashboard.md")))
        .contains("```java\n" + example + "\n```\n");
  }
}
