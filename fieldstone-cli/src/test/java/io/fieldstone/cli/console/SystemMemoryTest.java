package io.fieldstone.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SystemMemoryTest {

  @Test
  void findsWhatIsAvailable() {
    assertThat(
            SystemMemory.availableBytes(
                Stream.of("MemTotal:  24640000 kB", "MemAvailable:   20325272 kB", "Cached: 1 kB")))
        .hasValue(20_325_272L << 10);
    assertThat(SystemMemory.availableBytes(Stream.of("MemTotal: 5 kB", "MemAvailable: ? kB")))
        .isEmpty();
  }

  @Test
  void jobsTakeNoMoreThanTheirShare() {
    assertThat(SystemMemory.jobBytes()).isBetween(1L, Runtime.getRuntime().maxMemory() / 2 * 3);
  }
}
