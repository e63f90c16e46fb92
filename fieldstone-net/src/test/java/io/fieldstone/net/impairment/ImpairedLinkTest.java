package io.fieldstone.net.impairment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class ImpairedLinkTest {

  /** A name that never resolves (RFC 2606). */
  @Test
  void saysThatTheHostOfTheServerIsUnknown() {
    InetSocketAddress unknown = InetSocketAddress.createUnresolved("server.invalid", 4433);
    assertThatThrownBy(
            () -> ImpairedLink.open(unknown, Impairment.NONE, Impairment.NONE, 1).close())
        .isInstanceOf(UnknownHostException.class)
        .hasMessage("unknown host: server.invalid");
  }

  @Test
  void resolvesTheHostOfTheServer() throws Exception {
    InetSocketAddress named = InetSocketAddress.createUnresolved("127.0.0.1", 4433);
    try (ImpairedLink link = ImpairedLink.open(named, Impairment.NONE, Impairment.NONE, 1)) {
      assertThat(link.address().getPort()).isPositive();
    }
  }
}
