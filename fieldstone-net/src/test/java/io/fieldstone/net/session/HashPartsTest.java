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

class HashPartsTest {

  private static final int SECOND = Message.FIRST_HASHES;
  private static final int THIRD = SECOND + Message.MAX_HASHES;
  private static final int GENERATIONS = THIRD + 10;

  private final HashParts<String> parts = parts(GENERATIONS);

  private static HashParts<String> parts(int generations) {
    return new HashParts<>(
        new ObjectManifest(
            new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 1, 1),
            generations,
            Optional.empty(),
            new Sha256(0, 0, 0, 0)));
  }

  private static List<Sha256> hashes(int first, int count) {
    return IntStream.range(first, first + count).mapToObj(i -> new Sha256(i, 0, 0, 0)).toList();
  }

  private static Optional<Message.HashesRequest> request(int first, int count) {
    return Optional.of(new Message.HashesRequest(3, first, count));
  }

  private void add(String sender, int first, int count) throws MalformedDataException {
    parts.add(sender, first, hashes(first, count));
  }

  private void assertRefused(int first, int count) {
    assertThatThrownBy(() -> add("a", first, count))
        .isInstanceOf(MalformedDataException.class)
        .hasMessageContaining("out of order");
  }

  @Test
  void eachSenderIsAskedForOtherParts() throws Exception {
    parts.expectFirst("a");
    assertThat(parts.next("a", 3)).isEqualTo(request(SECOND, Message.MAX_HASHES));
    assertThat(parts.next("a", 3)).isEmpty();
    assertThat(parts.next("b", 3)).isEqualTo(request(THIRD, 10));
    add("b", THIRD, 10);
    add("a", 0, Message.FIRST_HASHES);
    assertThat(parts.isComplete()).isFalse();
    add("a", SECOND, Message.MAX_HASHES);
    assertThat(parts.isComplete()).isTrue();
    assertThat(parts.hashes()).isEqualTo(hashes(0, GENERATIONS));
    assertThat(parts.sources()).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void aSilentSenderDelaysNobody() throws Exception {
    parts.expectFirst("silent");
    assertThat(parts.next("silent", 3)).isPresent();
    for (int first : new int[] {THIRD, 0, SECOND}) {
      int count = first == 0 ? Message.FIRST_HASHES : first == THIRD ? 10 : Message.MAX_HASHES;
      assertThat(parts.next("b", 3)).isEqualTo(request(first, count));
      add("b", first, count);
    }
    assertThat(parts.isComplete()).isTrue();
    assertThat(parts.isAwaited("silent")).isTrue();
  }

  /** One hash at a time would keep a receiver waiting for as long as a sender likes. */
  @Test
  void partsThatAreNotAsAskedForAreRefused() {
    assertRefused(0, Message.FIRST_HASHES);
    parts.expectFirst("a");
    assertRefused(0, 1);
    parts.expectFirst("a");
    assertRefused(SECOND, Message.MAX_HASHES);
  }

  /** Parts of both prove wrong; those that one sends alone show who lied. */
  @Test
  void whoSentWrongHashesShowsOnceOneIsAskedAlone() throws Exception {
    parts.expectFirst("a");
    assertThat(parts.next("liar", 3)).isEqualTo(request(SECOND, Message.MAX_HASHES));
    assertThat(parts.next("a", 3)).isEqualTo(request(THIRD, 10));
    add("a", 0, Message.FIRST_HASHES);
    add("a", THIRD, 10);
    parts.add("liar", SECOND, hashes(0, Message.MAX_HASHES));
    assertThat(parts.isComplete()).isTrue();

    parts.doubt();
    assertThat(parts.needsSender()).isTrue();
    parts.startAlone("a");
    assertThat(parts.next("liar", 3)).isEmpty();
    for (int first = 0; parts.next("a", 3).isPresent(); first++) {
      assertThat(first).isLessThan(2);
    }
    add("a", 0, Message.FIRST_HASHES);
    add("a", SECOND, Message.MAX_HASHES);
    assertThat(parts.next("a", 3)).isEqualTo(request(THIRD, 10));
    add("a", THIRD, 10);
    assertThat(parts.isComplete()).isTrue();
    assertThat(parts.wrongSenders()).containsExactly("liar");
  }

  @Test
  void anotherIsChosenIfTheOneThatWasAskedAloneLeaves() throws Exception {
    parts.expectFirst("a");
    add("a", 0, Message.FIRST_HASHES);
    parts.doubt();
    parts.startAlone("a");
    parts.remove("a");
    assertThat(parts.needsSender()).isTrue();
    parts.startAlone("b");
    assertThat(parts.next("b", 3)).isEqualTo(request(0, Message.FIRST_HASHES));
  }

  @Test
  void anObjectWithoutGenerationsNeedsNone() {
    HashParts<String> none = parts(0);
    none.expectFirst("a");
    assertThat(none.next("a", 3)).isEmpty();
    assertThat(none.isComplete()).isTrue();
    assertThat(none.isAwaited("a")).isFalse();
  }
}
