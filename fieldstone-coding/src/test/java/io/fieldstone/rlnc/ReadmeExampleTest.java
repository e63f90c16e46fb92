package io.fieldstone.rlnc;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The example of README.md, between the markers, kept running. */
class ReadmeExampleTest {

  @Test
  void aLossyLinkARelayAndAReceiver() {
    byte[] source = new byte[128 * 1024];
    new Random(1).nextBytes(source);
    Random network = new Random(2);

    byte[] received = send(source, network);

    assertThat(received).isEqualTo(source);
  }

  /** Maven runs the tests of a module in its folder. */
  @Test
  void equalsTheExampleOfTheReadme() throws IOException {
    String source =
        Files.readString(Path.of("src/test/java/io/fieldstone/rlnc/ReadmeExampleTest.java"));
    int begin = source.indexOf("    // README begin\n");
    int end = source.indexOf("    // README end\n");
    String example = source.substring(source.indexOf('\n', begin) + 1, end - 1).stripIndent();

    assertThat(Files.readString(Path.of("../README.md")))
        .contains("```java\n" + example + "\n```\n");
  }

  private static byte[] send(byte[] source, Random network) {
    // README begin
    var shape = new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 128, 1024);
    try (var engine = Engine.open("auto");
        var encoder = new Encoder(engine, shape, 0, 42, MemorySegment.ofArray(source));
        var relay = new Recoder(engine, shape, 0, 43);
        var decoder = new Decoder(engine, shape, 0)) {
      while (!decoder.isComplete()) {
        CodedBlock sent = encoder.next();
        if (network.nextDouble() < 0.8) relay.add(sent); // one in five is lost
        if (relay.rank() > 0) decoder.add(relay.next()); // recoded, not forwarded
      }
      MemorySegment decoded = MemorySegment.ofArray(new byte[128 * 1024]);
      decoder.decode(decoded);
      return decoded.toArray(ValueLayout.JAVA_BYTE);
    }
    // README end
  }
}
