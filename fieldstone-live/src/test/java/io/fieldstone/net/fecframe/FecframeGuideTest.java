package io.fieldstone.net.fecframe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.fecframe.FecConfiguration;
import io.fieldstone.rlnc.fecframe.FecReceiverSettings;
import io.fieldstone.rlnc.fecframe.FecScheme;
import io.fieldstone.rlnc.fecframe.FecSenderSettings;
import io.fieldstone.rlnc.fecframe.WindowSizes;
import io.fieldstone.rlnc.window.Delivery;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example of docs/format.md, "FECFRAME", between the markers. */
@Timeout(60) // A stream that stalls must fail.
class FecframeGuideTest {

  @Test
  void aStreamArrives() throws IOException {
    List<byte[]> stream = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      stream.add(new byte[] {(byte) i, 1, 2});
    }
    assertThat(transfer(stream)).containsExactlyElementsOf(stream);
  }

  /** Maven runs the tests of a module in its folder. */
  @Test
  void equalsTheExampleOfTheGuide() throws IOException {
    String source =
        Files.readString(
            Path.of("src/test/java/io/fieldstone/net/fecframe/FecframeGuideTest.java"));
    int begin = source.indexOf("    // Guide begin\n");
    int end = source.indexOf("    // Guide end\n");
    String example = source.substring(source.indexOf('\n', begin) + 1, end - 1).stripIndent();

    assertThat(Files.readString(Path.of("../docs/format.md")))
        .contains("```java\n" + example + "\n```\n");
  }

  private static List<byte[]> transfer(List<byte[]> stream) throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    List<byte[]> received = new ArrayList<>();
    // Guide begin
    FecConfiguration configuration = FecConfiguration.of(FecScheme.GF256, 1316);
    WindowSizes sizes = WindowSizes.ofSourceRate(0.2, 5e6, configuration.information());
    var sending = FecSenderSettings.of(FecScheme.GF256, sizes.encoding(), 0.8);
    var receiving = new FecReceiverSettings(sizes, 1316, Delivery.IN_ORDER);
    var at = new FecframeAddresses(Map.of(0, any), any);
    Duration latency = Duration.ofMillis(200);
    try (var engine = Engine.open("cpu");
        var receiver = FecframeReceiver.open(engine, configuration, receiving, at, latency)) {
      var to = new FecframeAddresses(Map.of(0, receiver.address(0)), receiver.repairAddress());
      try (var sender = FecframeSender.open(engine, configuration, sending, to)) {
        for (byte[] adu : stream) {
          sender.send(0, MemorySegment.ofArray(adu)); // a repair packet follows every fourth
        }
      }
      while (received.size() < stream.size()) {
        receiver.receive(
            latency, (flow, esi, adu) -> received.add(adu.toArray(ValueLayout.JAVA_BYTE)));
      }
    }
    // Guide end
    return received;
  }
}
