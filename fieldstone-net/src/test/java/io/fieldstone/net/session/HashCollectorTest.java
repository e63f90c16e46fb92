package io.fieldstone.net.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HashCollectorTest {

  private static final int GENERATIONS = Message.FIRST_HASHES + Message.MAX_HASHES + 10;

  private final HashCollector collector =
      new HashCollector(
          new ObjectManifest(
              new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 1, 1),
              GENERATIONS,
              Optional.empty(),
              new Sha256(0, 0, 0, 0)));

  private static List<Sha256> hashes(int first, int count) {
    return IntStream.range(first, first + count).mapToObj(i -> new Sha256(i, 0, 0, 0)).toList();
  }

  private void assertRefused(int first, int count) {
    assertThatThrownBy(() -> collector.add(first, hashes(first, count)))
        .isInstanceOf(MalformedDataException.class)
        .hasMessageContaining("out of order");
  }

  @Test
  void eachPartIsWhatWasAskedFor() throws Exception {
    int last = Message.FIRST_HASHES + Message.MAX_HASHES;
    collector.expectFirst();
    assertThat(collector.next(3))
        .contains(new Message.HashesRequest(3, Message.FIRST_HASHES, Message.MAX_HASHES));
    assertThat(collector.next(3)).contains(new Message.HashesRequest(3, last, 10));
    assertThat(collector.next(3)).isEmpty();
    collector.add(0, hashes(0, Message.FIRST_HASHES));
    collector.add(Message.FIRST_HASHES, hashes(Message.FIRST_HASHES, Message.MAX_HASHES));
    assertThat(collector.isComplete()).isFalse();
    collector.add(last, hashes(last, 10));
    assertThat(collector.isComplete()).isTrue();
    assertThat(collector.hashes()).isEqualTo(hashes(0, GENERATIONS));
    assertRefused(GENERATIONS, 0);
  }

  /** One hash at a time would keep a receiver waiting for as long as a sender likes. */
  @Test
  void partsThatAreTooSmallAreRefused() {
    assertRefused(0, 1);
    collector.expectFirst();
    assertRefused(0, 1);
    collector.clear();
    collector.expectFirst();
    assertRefused(0, 0);
  }
}
