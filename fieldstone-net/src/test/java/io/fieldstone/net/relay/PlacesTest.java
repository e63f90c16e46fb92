package io.fieldstone.net.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.net.relay.Places.Use;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlacesTest {

  private static final long IDLE = Places.IDLE_NANOS;

  private static Use<String> use(String object, long unwantedNanos, String... clients) {
    return new Use<>(object, Set.of(clients), unwantedNanos);
  }

  @Test
  void theObjectLeastRecentlyWantedMakesRoom() {
    List<Use<String>> uses =
        List.of(use("a", IDLE, "one"), use("b", IDLE + 2, "two"), use("c", IDLE + 1, "three"));
    assertThat(Places.victim(uses, "four")).contains("b");
    assertThat(Places.victim(uses, "two")).contains("b");
  }

  @Test
  void aClientThatWantsAllPlacesGivesOneToAnother() {
    List<Use<String>> uses = new ArrayList<>();
    for (int i = 0; i < 15; i++) {
      uses.add(use("a" + i, i, "greedy"));
    }
    uses.add(use("b", 100, "other"));
    assertThat(Places.victim(uses, "new")).contains("a14");
    assertThat(Places.victim(uses, "other")).contains("a14");
    assertThat(Places.victim(uses, "greedy")).isEmpty();
  }

  /** Otherwise each would take the place of the other in turn. */
  @Test
  void clientsWithAsManyPlacesKeepThem() {
    List<Use<String>> uses = List.of(use("a", 1, "one"), use("b", 1, "two"), use("c", 1, "two"));
    assertThat(Places.victim(uses, "one")).isEmpty();
    assertThat(Places.victim(uses, "new")).contains("b");
    assertThat(Places.victim(List.of(use("a", 1, "one"), use("b", 1, "two")), "new")).isEmpty();
  }

  @Test
  void anObjectThatSeveralClientsWantStays() {
    List<Use<String>> uses =
        List.of(use("a", 9, "one", "two"), use("b", 1, "two"), use("c", 2, "two"));
    assertThat(Places.victim(uses, "new")).contains("c");
    assertThat(Places.victim(List.<Use<String>>of(), "new")).isEqualTo(Optional.empty());
  }

  @Test
  void oneAddressIsOneClient() throws Exception {
    assertThat(client("192.0.2.1", 1)).isEqualTo(client("192.0.2.1", 2));
    assertThat(client("192.0.2.1", 1)).isNotEqualTo(client("192.0.2.2", 1));
    assertThat(client("2001:db8::1", 1)).isEqualTo(client("2001:db8::ffff:2", 2));
    assertThat(client("2001:db8::1", 1)).isNotEqualTo(client("2001:db8:0:1::1", 1));
  }

  private static String client(String address, int port) throws Exception {
    return Places.client(new InetSocketAddress(InetAddress.getByName(address), port));
  }
}
