package io.fieldstone.net.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.net.catalogue.Catalogue;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.rlnc.crypto.PublisherKey;
import io.fieldstone.rlnc.crypto.PublisherRecord;
import io.fieldstone.rlnc.crypto.SigningKey;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class RelayCatalogueTest {

  private static final Sha256 ID = new Sha256(1, 2, 3, 4);

  private final RelayCatalogue catalogue = new RelayCatalogue();

  private static CatalogueEntry entry(String name, Sha256 id, int hops) {
    return new CatalogueEntry(name, 10, id).withHops(hops);
  }

  @Test
  void takesTheShortestWay() {
    assertThat(
            catalogue.update(
                List.of(), List.of(List.of(entry("a", ID, 3)), List.of(entry("a", ID, 0)))))
        .isTrue();

    assertThat(catalogue.entries()).containsExactly(entry("a", ID, 1));
    assertThat(catalogue.update(List.of(), List.of(List.of(entry("a", ID, 0))))).isFalse();
    assertThat(catalogue.update(List.of(entry("a", ID, 0)), List.of())).isTrue();
    assertThat(catalogue.entries()).containsExactly(entry("a", ID, 0));
  }

  @Test
  void listsAllIdsOfAName() {
    Sha256 other = new Sha256(9, 9, 9, 9);
    boolean _ =
        catalogue.update(
            List.of(), List.of(List.of(entry("a", ID, 0)), List.of(entry("a", other, 0))));

    assertThat(catalogue.find("a")).extracting(CatalogueEntry::id).containsExactly(ID, other);
    assertThat(catalogue.find(other.toString()))
        .extracting(CatalogueEntry::id)
        .containsExactly(other);
    assertThat(catalogue.find("b")).isEmpty();
  }

  @Test
  void listsAllNamesOfAnId() {
    boolean _ =
        catalogue.update(
            List.of(entry("c", ID, 0)),
            List.of(List.of(entry("a", ID, 3)), List.of(entry("b", ID, 1))));

    assertThat(catalogue.entries(ID))
        .containsExactly(entry("c", ID, 0), entry("b", ID, 2), entry("a", ID, 4));
    assertThat(catalogue.entries(new Sha256(9, 9, 9, 9))).isEmpty();
  }

  /** An answer has one message, so that a question costs no more for a large catalogue. */
  @Test
  void findsNoMoreThanAnAnswerHolds() {
    List<CatalogueEntry> equal = new ArrayList<>();
    for (int i = 0; i < 2 * Catalogue.MAX_FOUND; i++) {
      equal.add(entry("name " + i, ID, 0));
    }
    boolean _ = catalogue.update(equal, List.of());

    assertThat(catalogue.find(ID.toString())).hasSize(Catalogue.MAX_FOUND);
    assertThat(catalogue.find("name 7")).containsExactly(entry("name 7", ID, 0));
    assertThat(catalogue.find(ID.toString().toUpperCase(Locale.ROOT).substring(0, 8)))
        .hasSize(Catalogue.MAX_FOUND);
    assertThat(catalogue.find(ID.toString().substring(0, 7))).isEmpty();
    assertThat(catalogue.find("x".repeat(8))).isEmpty();
    assertThat(catalogue.find(ID + "0")).isEmpty();
  }

  /** Two relays that list each other forget an object once its server has left. */
  @Test
  void countsToTheMaximumAndForgets() {
    RelayCatalogue second = new RelayCatalogue();
    boolean _ = catalogue.update(List.of(), List.of(List.of(entry("a", ID, 0))));
    boolean _ = second.update(List.of(), List.of(catalogue.entries()));
    assertThat(second.entries()).containsExactly(entry("a", ID, 2));

    for (int round = 0; round < CatalogueEntry.MAX_HOPS; round++) {
      boolean _ = catalogue.update(List.of(), List.of(second.entries()));
      boolean _ = second.update(List.of(), List.of(catalogue.entries()));
    }

    assertThat(catalogue.entries()).isEmpty();
    assertThat(second.entries()).isEmpty();
  }

  /** Many records of one peer do not displace those of another. */
  @Test
  void recordsOfAllPeersArePassedOnUnchanged() {
    List<PublisherRecord> many = new ArrayList<>();
    for (int i = 0; i < CatalogueEntry.MAX_RECORDS; i++) {
      many.add(PublisherRecord.of("a", ID, PublisherKey.of(new byte[32]), 0, signature(i)));
    }
    PublisherRecord one = PublisherRecord.sign(SigningKey.generate(), "a", ID);
    List<PublisherRecord> both = List.of(one, many.getFirst());

    boolean _ =
        catalogue.update(
            List.of(entry("a", ID, 0).withRecords(many)),
            List.of(List.of(entry("a", ID, 0).withRecords(both))));

    assertThat(catalogue.entries())
        .singleElement()
        .satisfies(each ->
            assertThat(each.records())
                .hasSize(CatalogueEntry.MAX_RECORDS)
                .startsWith(many.getFirst(), one)
                .doesNotHaveDuplicates());
  }

  private static byte[] signature(int number) {
    byte[] signature = new byte[PublisherRecord.SIGNATURE_BYTES];
    signature[0] = (byte) number;
    return signature;
  }
}
