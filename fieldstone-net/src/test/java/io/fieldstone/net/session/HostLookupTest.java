package io.fieldstone.net.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HostLookupTest {

  private static List<InetAddress> addresses(String... texts) {
    return Stream.of(texts).map(InetAddress::ofLiteral).toList();
  }

  @Test
  void familiesTakeTurns() {
    assertThat(HostLookup.inTurns(addresses("192.0.2.1", "192.0.2.2", "2001:db8::1", "192.0.2.3")))
        .isEqualTo(addresses("192.0.2.1", "2001:db8::1", "192.0.2.2", "192.0.2.3"));
    assertThat(HostLookup.inTurns(addresses("2001:db8::1", "2001:db8::2", "192.0.2.1")))
        .isEqualTo(addresses("2001:db8::1", "192.0.2.1", "2001:db8::2"));
    assertThat(HostLookup.inTurns(List.of())).isEmpty();
  }

  @Test
  void addressesHaveThePort() throws Exception {
    CompletableFuture<List<InetSocketAddress>> found = new CompletableFuture<>();
    HostLookup.start(InetSocketAddress.createUnresolved("127.0.0.1", 4433), found::complete);
    assertThat(found.get(60, TimeUnit.SECONDS))
        .containsExactly(new InetSocketAddress("127.0.0.1", 4433));
  }
}
