package io.fieldstone.net.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.endpoint.EndpointSettings;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The example of docs/live.md, "Library", between the markers. */
@Timeout(120) // A stream that stalls must fail.
class StreamGuideTest {

  @TempDir private Path state;

  @Test
  void aStreamArrives() throws Exception {
    List<byte[]> camera =
        IntStream.range(0, 50).mapToObj(i -> new byte[] {(byte) i, 1, 2}).toList();
    assertThat(transfer(camera)).containsExactlyElementsOf(camera);
  }

  /** Maven runs the tests of a module in its folder. */
  @Test
  void equalsTheExampleOfTheGuide() throws IOException {
    String source =
        Files.readString(Path.of("src/test/java/io/fieldstone/net/live/StreamGuideTest.java"));
    int begin = source.indexOf("    // Guide begin\n");
    int end = source.indexOf("    // Guide end\n");
    String example = source.substring(source.indexOf('\n', begin) + 1, end - 1).stripIndent();

    assertThat(Files.readString(Path.of("../docs/live.md")))
        .contains("```java\n" + example + "\n```\n");
  }

  private List<byte[]> transfer(List<byte[]> camera) throws Exception {
    List<byte[]> played = Collections.synchronizedList(new ArrayList<>());
    // Guide begin
    InetSocketAddress loopback = InetSocketAddress.createUnresolved("127.0.0.1", 0);
    EndpointSettings endpoint = EndpointSettings.of(state.resolve("a")).withListen(loopback);
    StreamSettings sending = StreamSettings.of(endpoint, Duration.ofSeconds(5));
    StreamReceiver.Sink player = packet -> played.add(packet.toArray(ValueLayout.JAVA_BYTE));
    try (Engine engine = Engine.open("cpu");
        StreamServer server = StreamServer.start(engine, sending)) {
      ClientSettings receiving =
          ClientSettings.of(server.address(), state.resolve("b"))
              .withTrusted(List.of(server.fingerprint()));
      try (StreamReceiver receiver =
          StreamReceiver.start(engine, receiving, Optional.empty(), Optional.empty(), player)) {
        server.awaitReceivers(); // a camera would not wait
        for (byte[] packet : camera) {
          server.send(MemorySegment.ofArray(packet));
        }
        server.finish(); // waits until the receivers have left
        boolean hasEnded = receiver.awaitEnd(Duration.ofSeconds(10));
        System.out.println(hasEnded + " " + receiver.statistics());
      }
    }
    // Guide end
    return played;
  }
}
