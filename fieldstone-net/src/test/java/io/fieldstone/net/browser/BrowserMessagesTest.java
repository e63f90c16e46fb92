package io.fieldstone.net.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.fieldstone.field.Gf256;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.net.session.Message;
import io.fieldstone.net.session.MessageCodec;
import io.fieldstone.net.session.PeerRole;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.crypto.PublisherKey;
import io.fieldstone.rlnc.crypto.PublisherRecord;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares the messages of the receiver for browsers, in node, with those of this library. */
class BrowserMessagesTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final Sha256 ID = Sha256.hash(ByteBuffer.wrap(new byte[] {1}));
  private static final Sha256 HASH = Sha256.hash(ByteBuffer.wrap(new byte[] {2}));
  private static final ObjectManifest MANIFEST =
      new ObjectManifest(
          new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 64, 1152),
          1L << 40,
          Optional.of(new ObjectManifest.Encryption(HASH, 0x0123456789ABCDEFL)),
          ID);
  private static final PublisherRecord RECORD =
      PublisherRecord.of(
          "größe/x",
          ID,
          PublisherKey.of(filled(32, 7)),
          1_800_000_000L,
          filled(PublisherRecord.SIGNATURE_BYTES, 9));

  private static byte[] filled(int bytes, int value) {
    byte[] filled = new byte[bytes];
    Arrays.fill(filled, (byte) value);
    return filled;
  }

  private static String hex(Message message) {
    return HEX.formatHex(MessageCodec.write(message).toArray(ValueLayout.JAVA_BYTE));
  }

  private static List<String> exchange(List<String> lines) throws IOException {
    Path node =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
            .map(directory -> Path.of(directory, "node"))
            .filter(Files::isExecutable)
            .findFirst()
            .orElseGet(() -> abort("needs node in the PATH"));
    Process process =
        new ProcessBuilder(node.toString(), "../fieldstone-web/src/test/js/messages-peer.mjs")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      process
          .getOutputStream()
          .write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.US_ASCII));
      process.getOutputStream().close();
      return output.lines().toList();
    }
  }

  @Test
  void understandsWhatSendersSay() throws IOException {
    CatalogueEntry entry = new CatalogueEntry("größe/x", 1L << 50, ID, 15, List.of(RECORD));
    String id = ID.toString();
    String json =
        ("{\"name\":\"größe/x\",\"id\":\"%s\",\"length\":1125899906842624,\"hops\":15,"
                + "\"records\":[{\"publisher\":\"ed25519:%s\",\"seconds\":1800000000,"
                + "\"signature\":\"%s\"}]}")
            .formatted(id, "07".repeat(32), "09".repeat(64));
    List<Message> sent =
        List.of(
            new Message.Hello(2, PeerRole.IMMEDIATE_RELAY, "t"),
            new Message.CataloguePage(true, false, List.of(entry)),
            new Message.Found(List.of()),
            new Message.Opened(16_383, MANIFEST, 0xFEDCBA9876543210L),
            new Message.Refused(ID, Message.RefusalCode.LIMIT, "zu viele"),
            new Message.Hashes(5, 512, List.of(ID, HASH)),
            new Message.Ended(1, Message.RefusalCode.NARROW_PATH, ""));
    assertThat(exchange(sent.stream().map(BrowserMessagesTest::hex).toList()))
        .startsWith(
            "{\"type\":\"hello\",\"version\":2,\"role\":3,\"token\":\"t\"}",
            "{\"type\":\"catalogue\",\"isFirst\":true,\"isLast\":false,\"entries\":[%s]}"
                .formatted(json),
            "{\"type\":\"found\",\"entries\":[]}",
            "{\"type\":\"opened\",\"alias\":16383,\"manifest\":\"%s\",\"seed\":{\"high\":%d,\"low\":%d}}"
                .formatted(HEX.formatHex(MANIFEST.toBytes()), 0xFEDCBA98, 0x76543210),
            "{\"type\":\"refused\",\"id\":\"%s\",\"code\":2,\"text\":\"zu viele\"}".formatted(id),
            "{\"type\":\"hashes\",\"alias\":5,\"first\":512,\"hashes\":\"%s%s\"}"
                .formatted(id, HASH),
            "{\"type\":\"ended\",\"alias\":1,\"code\":4,\"text\":\"\"}");
  }

  @Test
  void writesWhatSendersUnderstand() throws Exception {
    List<Message> expected =
        List.of(
            new Message.Hello(Message.VERSION, PeerRole.RECEIVER, "geheim–ü"),
            new Message.ListRequest(),
            new Message.Find("Filme/größe.mkv"),
            new Message.HashesRequest(16_383, 512, 1900),
            new Message.Pacing(5_000_000, false),
            new Message.Polluted(1, 2),
            new Message.Open(Sha256.parse("ab".repeat(32))));
    List<String> lines = exchange(List.of("05"));
    List<String> written = lines.subList(1, lines.size());
    assertThat(written).hasSameSizeAs(expected);
    for (int i = 0; i < written.size(); i++) {
      MemorySegment bytes = MemorySegment.ofArray(HEX.parseHex(written.get(i)));
      assertThat(MessageCodec.parse(bytes)).isEqualTo(expected.get(i));
    }
  }

  /** Each message of a sender, cut short or with one byte more, is refused. */
  @Test
  void refusesMessagesOfAnotherLength() throws IOException {
    String whole =
        hex(
            new Message.CataloguePage(
                true, true, List.of(new CatalogueEntry("größe/x", 5, ID, 0, List.of(RECORD)))));
    List<String> cut =
        IntStream.range(0, whole.length() / 2)
            .mapToObj(bytes -> whole.substring(0, 2 * bytes))
            .toList();
    assertThat(exchange(cut).subList(0, cut.size())).containsOnly("MalformedDataError");
    assertThat(exchange(List.of(whole + "00")).getFirst()).isEqualTo("MalformedDataError");
  }

  /** A hostile server may send names with control characters, and lengths of 2^53. */
  @Test
  void refusesEntriesThatAreNotOnOffer() throws IOException {
    String whole = hex(new Message.Found(List.of(new CatalogueEntry("abc", 5, ID))));
    List<String> changed =
        List.of(
            whole.replace("616263", "61002f"),
            whole.replace("616263", "2f6263"),
            whole.replace("616263", "615c63"),
            whole.replace("616263", "61c285"),
            whole.replace("616263", "61ff63"),
            whole.replace("0000000000000005", "0020000000000000"));
    assertThat(exchange(changed).subList(0, changed.size())).containsOnly("MalformedDataError");
  }
}
