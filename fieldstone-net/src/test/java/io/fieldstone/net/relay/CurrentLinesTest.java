package io.fieldstone.net.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.net.relay.CurrentLines.Offered;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.List;
import org.junit.jupiter.api.Test;

class CurrentLinesTest {

  private static final CatalogueEntry OLD = entry("a", 1);
  private static final CatalogueEntry NEW = entry("a", 2);
  private static final CatalogueEntry OTHER = entry("b", 3);
  private static final Offered AWAY = new Offered(List.of(), false, true);

  private static CatalogueEntry entry(String name, long id) {
    return new CatalogueEntry(name, 10, new Sha256(id, 0, 0, 0));
  }

  private static Offered server(CatalogueEntry... entries) {
    return new Offered(List.of(entries), true, true);
  }

  private static Offered relay(CatalogueEntry... entries) {
    return new Offered(List.of(entries), true, false);
  }

  private static boolean isOffered(CatalogueEntry cached, Offered... upstreams) {
    return !CurrentLines.of(List.of(cached), List.of(upstreams)).isEmpty();
  }

  @Test
  void whatTheServerOffersStays() {
    assertThat(CurrentLines.of(List.of(OLD, OTHER), List.of(server(OLD, OTHER))))
        .containsExactly(OLD, OTHER);
    assertThat(isOffered(OLD, server(), server(OLD))).isTrue();
  }

  @Test
  void whatTheServerHasRemovedOrChangedGoes() {
    assertThat(isOffered(OLD, server())).isFalse();
    assertThat(isOffered(OLD, server(NEW))).isFalse();
    assertThat(CurrentLines.of(List.of(OLD, NEW), List.of(server(NEW)))).containsExactly(NEW);
  }

  @Test
  void whatAServerMayOfferThatIsAwayStays() {
    assertThat(isOffered(OLD, AWAY)).isTrue();
    assertThat(isOffered(OLD, server(), AWAY)).isTrue();
    assertThat(isOffered(OLD, relay(), AWAY)).isTrue();
    assertThat(isOffered(OLD, new Offered(List.of(OTHER), false, true))).isTrue();
  }

  @Test
  void aNewContentReplacesTheOldAlsoIfAnotherServerIsAway() {
    assertThat(isOffered(OLD, server(NEW), AWAY)).isFalse();
    assertThat(isOffered(OLD, relay(NEW), AWAY)).isFalse();
  }

  @Test
  void serversThatDisagreeAreBothOffered() {
    assertThat(CurrentLines.of(List.of(OLD, NEW), List.of(server(OLD), server(NEW))))
        .containsExactly(OLD, NEW);
  }

  /** Two relays may know a line from each other only. */
  @Test
  void theWordOfRelaysAloneIsNotEnough() {
    assertThat(isOffered(OLD, server(), relay(OLD))).isFalse();
    assertThat(isOffered(OLD, server(NEW), relay(OLD))).isFalse();
    assertThat(isOffered(OLD, relay(OLD))).isFalse();
    assertThat(isOffered(OLD, relay(OLD), AWAY)).isTrue();
  }
}
