package io.fieldstone.net.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class RoutesTest {

  private static final InetSocketAddress HERE = new InetSocketAddress("127.0.0.1", 4433);

  /** The system sends nothing there without being asked to. */
  private static final InetSocketAddress BROADCAST = new InetSocketAddress("255.255.255.255", 4433);

  @Test
  void anAddressWithARouteHasNoProblem() {
    assertThat(Routes.problem(HERE)).isEmpty();
    assertThat(Routes.problem(List.of())).isEmpty();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void oneWithoutARouteHasTheReasonOfTheSystem() {
    assertThat(Routes.problem(BROADCAST))
        .hasValueSatisfying(text -> assertThat(text).matches("cannot be reached: [A-Z].+"));
    assertThat(Routes.problem(List.of(BROADCAST, BROADCAST))).isEqualTo(Routes.problem(BROADCAST));
    assertThat(Routes.problem(List.of(BROADCAST, HERE))).isEmpty();
  }
}
