package io.fieldstone.net.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.net.session.MalformedMessageException;
import io.fieldstone.testing.Replay;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** A live control message that can be parsed is written as it was. */
public class LiveMessageFuzzTest {

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    LiveMessage message;
    try {
      message = LiveMessage.parse(MemorySegment.ofArray(data));
    } catch (MalformedMessageException e) {
      assertThat(e.getMessage()).isNotEmpty();
      return;
    }
    assertThat(LiveMessage.write(message).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(data);
  }

  @Test
  void replays() throws Exception {
    Replay.run(LiveMessageFuzzTest.class, LiveMessageFuzzTest::fuzzerTestOneInput);
  }
}
