package io.fieldstone.net.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.testing.Replay;
import org.junit.jupiter.api.Test;

/** A head of the cache that can be parsed is written as it was. */
public class CacheHeadFuzzTest {

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    CacheHead head;
    try {
      head = CacheHead.parse(data);
    } catch (MalformedDataException e) {
      assertThat(e.getMessage()).isNotEmpty();
      return;
    }
    assertThat(head.toBytes()).isEqualTo(data);
  }

  @Test
  void replays() throws Exception {
    Replay.run(CacheHeadFuzzTest.class, CacheHeadFuzzTest::fuzzerTestOneInput);
  }
}
