package io.fieldstone.rlnc.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.testing.Replay;
import org.junit.jupiter.api.Test;

/** Publisher records: what is read is written as it was. */
public class PublisherRecordFuzzTest {

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    try {
      PublisherRecord record = PublisherRecord.parse(data);
      assertThat(record.toBytes()).isEqualTo(data);
      assertThat(record.toString()).contains(record.id().toString());
    } catch (MalformedDataException e) {
      assertThat(e.offset()).isBetween(0L, (long) data.length);
    }
  }

  @Test
  void replays() throws Exception {
    Replay.run(PublisherRecordFuzzTest.class, PublisherRecordFuzzTest::fuzzerTestOneInput);
  }
}
