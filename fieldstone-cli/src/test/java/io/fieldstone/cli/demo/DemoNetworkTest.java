package io.fieldstone.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fieldstone.cli.console.Failure;
import io.fieldstone.engine.Engine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class DemoNetworkTest {

  private static final double LOSS = 0.2;

  private final Engine engine = Engine.open("cpu");

  @TempDir Path directory;

  @AfterEach
  void close() {
    engine.close();
  }

  private DemoReport run(DemoSettings settings, long bytes) throws Exception {
    try (GeneratedFile file = GeneratedFile.create(bytes, 3)) {
      return DemoNetwork.run(engine, settings, file.path(), 1, done -> {});
    }
  }

  @Test
  void everyReceiverGetsTheObjectAlthoughARelayIsKilled() throws Exception {
    DemoReport report = run(new DemoSettings(3, 2, LOSS, false, 7), 1_000_001);

    assertThat(report.isEqualEverywhere()).isTrue();
    assertThat(report.bytes()).isEqualTo(1_000_001);
    assertThat(report.receivers()).hasSize(3);
    assertThat(report.receivers())
        .allMatch(receiver -> receiver.innovative() >= report.blocks())
        .allMatch(receiver -> receiver.received() >= receiver.innovative());
    assertThat(report.isRelayKilled()).isTrue();
    assertThat(report.evil()).isEmpty();
    assertThat(report.links().lost() / (double) report.links().packets()).isBetween(0.1, 0.3);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1})
  void sendsTheShortestFiles(long bytes) throws Exception {
    DemoReport report = run(new DemoSettings(2, 1, LOSS, false, 7), bytes);

    assertThat(report.isEqualEverywhere()).isTrue();
    assertThat(report.bytes()).isEqualTo(bytes);
  }

  @Test
  void aPerfectLinkLosesNothing() throws Exception {
    DemoReport report = run(new DemoSettings(1, 0, 0, false, 7), 300_000);

    assertThat(report.links().lost()).isZero();
    assertThat(report.isRelayKilled()).isFalse();
    assertThat(report.receivers().getFirst().overhead()).isLessThan(0.2);
  }

  @Test
  void receiversBanTheEvilRelayAndNobodyElse() throws Exception {
    DemoReport report = run(new DemoSettings(2, 1, 0.05, true, 7), 3_000_000);

    assertThat(report.isEqualEverywhere()).isTrue();
    assertThat(report.evil())
        .hasValueSatisfying(evil -> {
          // A receiver that has the file before the relay sends it a block does not ban it.
          assertThat(evil.bannedBy()).isBetween(1, 2);
          assertThat(evil.wronglyBanned()).isZero();
          assertThat(evil.reason()).startsWith("sent wrong bytes of generation");
        });
  }

  @Test
  void progressDoesNotPassTheLength() throws Exception {
    List<Long> heard = new ArrayList<>();
    try (GeneratedFile file = GeneratedFile.create(300_000, 3)) {
      DemoNetwork.run(engine, new DemoSettings(2, 0, LOSS, false, 7), file.path(), 1, heard::add);
    }

    assertThat(heard).isSorted();
    assertThat(heard.getLast()).isBetween(1L, 300_000L);
  }

  @Test
  void aDirectoryIsNoFile() {
    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() ->
            DemoNetwork.run(engine, new DemoSettings(1, 0, 0, false, 7), directory, 1, done -> {}))
        .withMessageContaining("not a regular file");
  }

  @Test
  void anInterruptStopsEveryThread() throws Exception {
    try (GeneratedFile file = GeneratedFile.create(1 << 20, 3)) {
      Thread.currentThread().interrupt();

      assertThatExceptionOfType(InterruptedException.class)
          .isThrownBy(() ->
              DemoNetwork.run(
                  engine, new DemoSettings(2, 1, LOSS, false, 7), file.path(), 1, done -> {}));
    }
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.isAlive() && thread.getName().startsWith("receiver-"));
  }
}
