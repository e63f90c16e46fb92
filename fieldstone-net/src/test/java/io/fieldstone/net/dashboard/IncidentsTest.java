package io.fieldstone.net.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import org.junit.jupiter.api.Test;

class IncidentsTest {

  private final Incidents incidents = new Incidents();

  @Test
  void countsWhatHappensAgainAndKeepsTheLatestFirst() {
    incidents.add("a", "refused");
    incidents.add("b", "banned");
    incidents.add("a", "refused");

    assertThat(incidents.latestFirst())
        .extracting(Incidents.Incident::peer, Incidents.Incident::count)
        .containsExactly(tuple("a", 2L), tuple("b", 1L));
  }

  @Test
  void memoryIsBounded() {
    for (int i = 0; i < 10 * Incidents.MAX_INCIDENTS; i++) {
      incidents.add("peer " + i, "x".repeat(10_000));
    }

    assertThat(incidents.latestFirst()).hasSize(Incidents.MAX_INCIDENTS);
    assertThat(incidents.latestFirst().getFirst().peer()).isEqualTo("peer 499");
    assertThat(incidents.latestFirst().getFirst().reason()).hasSizeLessThan(1000);
  }
}
