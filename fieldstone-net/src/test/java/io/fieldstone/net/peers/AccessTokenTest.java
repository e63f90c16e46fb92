package io.fieldstone.net.peers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AccessTokenTest {

  @Test
  void onlyTheSameTokenIsAdmitted() {
    AccessToken token = new AccessToken("schlüssel");

    assertThat(token.admits("schlüssel")).isTrue();
    assertThat(token.admits("schlussel")).isFalse();
    assertThat(token.admits("schlüssel ")).isFalse();
    assertThat(token.admits("schlüsse")).isFalse();
    assertThat(token.admits("")).isFalse();
  }

  @Test
  void withoutATokenEveryClientIsAdmitted() {
    AccessToken none = new AccessToken("");

    assertThat(none.admits("")).isTrue();
    assertThat(none.admits("any")).isTrue();
  }
}
