package io.fieldstone.net.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.testing.Replay;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** A control message that can be parsed is written as it was. */
public class MessageCodecFuzzTest {

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    Message message;
    try {
      message = MessageCodec.parse(MemorySegment.ofArray(data));
    } catch (MalformedMessageException e) {
      assertThat(e.getMessage()).isNotEmpty();
      return;
    }
    assertThat(MessageCodec.write(message).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(data);
  }

  @Test
  void replays() throws Exception {
    Replay.run(MessageCodecFuzzTest.class, MessageCodecFuzzTest::fuzzerTestOneInput);
  }
}
