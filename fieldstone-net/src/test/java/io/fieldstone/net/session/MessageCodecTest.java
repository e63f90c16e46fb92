package io.fieldstone.net.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.field.Gf256;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.crypto.PublisherRecord;
import io.fieldstone.rlnc.crypto.SigningKey;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MessageCodecTest {

  private static final Sha256 ID = new Sha256(1, 2, 3, 4);
  private static final CatalogueEntry ENTRY = new CatalogueEntry("sub/ü.bin", 1L << 40, ID);
  private static final ObjectManifest MANIFEST =
      new ObjectManifest(
          new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 64, 1200),
          1_000_000,
          Optional.empty(),
          ID);

  static final List<Message> ALL =
      List.of(
          new Message.Hello(1, PeerRole.RECEIVER, "token"),
          new Message.Hello(65_535, PeerRole.IMMEDIATE_RELAY, ""),
          new Message.ListRequest(),
          new Message.CataloguePage(true, false, List.of(ENTRY, ENTRY)),
          new Message.CataloguePage(false, true, List.of()),
          new Message.Find("name"),
          new Message.Found(List.of(ENTRY)),
          new Message.Open(ID),
          new Message.Opened(7, MANIFEST, -5),
          new Message.Refused(ID, Message.RefusalCode.CHANGED, "has changed"),
          new Message.HashesRequest(1, 2, 3),
          new Message.Hashes(16_383, 9, Collections.nCopies(Message.MAX_HASHES, ID)),
          new Message.LeavesRequest(0, 12),
          new Message.Leaves(0, 12, 1900, List.of(ID)),
          new Message.Pacing(Long.MAX_VALUE, true),
          new Message.Found(List.of(ENTRY.withHops(CatalogueEntry.MAX_HOPS))),
          new Message.Polluted(9, 77),
          new Message.Close(9),
          new Message.Ended(9, Message.RefusalCode.FAILED, "cannot be read"));

  @Test
  void everyMessageIsReadAsItWasWritten() throws Exception {
    for (Message message : ALL) {
      assertThat(MessageCodec.parse(MessageCodec.write(message))).isEqualTo(message);
    }
  }

  /** An entry has keys, times and signatures of its records; the name and the id are its own. */
  @Test
  void recordsOfPublishersAreKept() throws Exception {
    PublisherRecord one = PublisherRecord.sign(SigningKey.generate(), ENTRY.name(), ID);
    PublisherRecord two = PublisherRecord.sign(SigningKey.generate(), ENTRY.name(), ID, 1000);
    Message.Found found = new Message.Found(List.of(ENTRY.withRecords(List.of(one, two)), ENTRY));

    Message parsed = MessageCodec.parse(MessageCodec.write(found));

    assertThat(parsed).isEqualTo(found);
    assertThat(((Message.Found) parsed).entries().getFirst().records())
        .containsExactly(one, two)
        .allMatch(PublisherRecord::isValid);
  }

  @Test
  void recordsThatCannotBeAreRefused() {
    PublisherRecord signed = PublisherRecord.sign(SigningKey.generate(), ENTRY.name(), ID);
    byte[] whole =
        MessageCodec.write(new Message.Found(List.of(ENTRY.withRecords(List.of(signed)))))
            .toArray(ValueLayout.JAVA_BYTE);
    for (int length = 1; length < whole.length; length++) {
      MemorySegment cut = MemorySegment.ofArray(whole).asSlice(0, length);
      assertThatThrownBy(() -> MessageCodec.parse(cut))
          .isInstanceOf(MalformedMessageException.class)
          .hasMessageContaining("ends early");
    }
    int countAt = whole.length - 105;
    whole[countAt] = 17;
    assertThatThrownBy(() -> MessageCodec.parse(MemorySegment.ofArray(whole)))
        .hasMessage("number of records 17 is not in 0…16");
    whole[countAt] = 1;
    whole[countAt - 1] = '\n';
    assertThatThrownBy(() -> MessageCodec.parse(MemorySegment.ofArray(whole)))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageContaining("the file name has U+000A");
    for (String name : List.of("", "a\\b", "a/../b", "/a", "\u001b[2J", "a\u009bb", "a/\u007f")) {
      assertThatThrownBy(() -> new CatalogueEntry(name, 1, ID))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> new CatalogueEntry("other", 1, ID, 0, List.of(signed)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a publisher record of '%s'".formatted(ENTRY.name()));
    assertThatThrownBy(() -> ENTRY.withRecords(Collections.nCopies(17, signed)))
        .hasMessage("17 publisher records; the maximum is 16");
  }

  /** Each type of message is in the corpus of the fuzz test. */
  @Test
  void theCorpusHasEveryMessage() throws Exception {
    Path corpus =
        Path.of(getClass().getResource("/fuzz/MessageCodecFuzzTest/hello").toURI()).getParent();
    for (Message message : ALL) {
      byte[] bytes = MessageCodec.write(message).toArray(ValueLayout.JAVA_BYTE);
      try (var files = Files.list(corpus)) {
        assertThat(files.map(MessageCodecTest::read)).anyMatch(each -> each[0] == bytes[0]);
      }
    }
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theReplacementCharacterIsText() throws Exception {
    Message find = new Message.Find("a\uFFFDb");
    assertThat(MessageCodec.parse(MessageCodec.write(find))).isEqualTo(find);
  }

  @Test
  void namesWhatIsWrong() {
    assertMalformed("unknown type of control message 200", 200);
    assertMalformed("a control message of type 1 ends early, after 2 bytes", 1, 0);
    assertMalformed("1 bytes after a control message of type 2", 2, 0);
    assertMalformed("role 9 is not in 0…3", 1, 0, 1, 9, 0, 0);
    assertMalformed("text length 257 is not in 0…255", 1, 0, 1, 0, 1, 1);
    assertMalformed("a text that is not UTF-8", 4, 0, 1, 0xFF);
    assertMalformed("alias 16384 is not in 0…16383", 14, 0x40, 0);
    assertMalformed("rate 0 is less than 1", 13, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    assertThatThrownBy(() -> MessageCodec.parse(MemorySegment.ofArray(new byte[0])))
        .hasMessage("an empty control message");
  }

  private static void assertMalformed(String message, int... bytes) {
    byte[] data = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      data[i] = (byte) bytes[i];
    }
    assertThatThrownBy(() -> MessageCodec.parse(MemorySegment.ofArray(data)))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessage(message);
  }

  @Test
  void refusesValuesOutOfBounds() {
    assertThatThrownBy(() -> MessageCodec.write(new Message.Close(16_384)))
        .hasMessage("alias 16384 is not in 0…16383");
    assertThatThrownBy(() -> MessageCodec.write(new Message.Find("x".repeat(4097))))
        .hasMessage("a text of 4097 bytes; the maximum is 4096");
  }
}
