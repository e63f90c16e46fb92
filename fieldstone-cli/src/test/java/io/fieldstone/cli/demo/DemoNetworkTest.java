package io.fieldstone.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DemoNetworkTest {

  private static final int N = 16;
  private static final int K = 61;
  private static final LinkQuality BAD = new LinkQuality(0.3, 0.05, 0.1);

  private final Engine engine = Engine.open("cpu:scalar");

  @TempDir Path directory;

  @AfterEach
  void close() {
    engine.close();
  }

  private static DemoSettings settings(Code code, int receivers, int relays, LinkQuality quality) {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, code, N, K);
    return new DemoSettings(shape, receivers, relays, quality, 7);
  }

  private DemoReport run(DemoSettings settings, Content content, int threads) throws Exception {
    return DemoNetwork.run(engine, settings, content, threads, done -> {});
  }

  static Stream<Arguments> networks() {
    LinkQuality awful = new LinkQuality(0.9, 0.01, 0.05);
    return Stream.of(
        Arguments.of(new Code.Dense(), 4, 2, BAD, 20_000L),
        Arguments.of(new Code.Systematic(), 3, 1, BAD, 20_000L),
        Arguments.of(Code.Sparse.ofDensity(0.25), 3, 2, BAD, 20_000L),
        Arguments.of(new Code.Pipeline(0.5), 3, 2, BAD, 20_000L),
        Arguments.of(new Code.Dense(), 1, 0, LinkQuality.PERFECT, 20_000L),
        Arguments.of(new Code.Dense(), 1, 0, awful, 5_000L),
        Arguments.of(new Code.Dense(), 2, 3, awful, 5_000L),
        Arguments.of(new Code.Dense(), 2, 8, BAD, 5_000L),
        Arguments.of(new Code.Dense(), 2, 0, BAD, 200_001L),
        Arguments.of(new Code.Dense(), 2, 1, BAD, 0L),
        Arguments.of(new Code.Dense(), 2, 1, BAD, 1L),
        Arguments.of(new Code.Dense(), 2, 1, BAD, (long) N * K),
        Arguments.of(new Code.Dense(), 2, 1, BAD, (long) N * K + 1));
  }

  @ParameterizedTest
  @MethodSource("networks")
  void everyReceiverGetsTheObject(
      Code code, int receivers, int relays, LinkQuality quality, long bytes) throws Exception {
    DemoReport report =
        run(settings(code, receivers, relays, quality), new Content.Generated(bytes, 3), 2);

    assertThat(report.isEqualEverywhere()).isTrue();
    assertThat(report.bytes()).isEqualTo(bytes);
    assertThat(report.receivers()).hasSize(receivers);
    assertThat(report.receivers())
        .allSatisfy(receiver -> {
          assertThat(receiver.innovative()).isEqualTo(report.blocks());
          assertThat(receiver.received()).isGreaterThanOrEqualTo(report.blocks());
        });
    assertThat(report.links().sent()).isGreaterThanOrEqualTo(receivers * report.blocks());
  }

  @Test
  void aPerfectLinkHasNextToNoOverhead() throws Exception {
    DemoReport report =
        run(
            settings(new Code.Dense(), 1, 0, LinkQuality.PERFECT),
            new Content.Generated(100_000, 1),
            1);

    assertThat(report.links().lost()).isZero();
    assertThat(report.receivers().getFirst().overhead()).isLessThan(0.02);
  }

  @Test
  void aRunDependsOnItsSeedAndNotOnItsThreads() throws Exception {
    DemoSettings settings = settings(new Code.Dense(), 3, 2, BAD);
    Content content = new Content.Generated(30_000, 1);

    DemoReport one = run(settings, content, 1);
    DemoReport four = run(settings, content, 4);
    DemoReport other = run(new DemoSettings(settings.shape(), 3, 2, BAD, 8), content, 1);

    assertThat(four.links()).isEqualTo(one.links());
    assertThat(four.receivers().stream().map(DemoReport.Receiver::received).toList())
        .isEqualTo(one.receivers().stream().map(DemoReport.Receiver::received).toList());
    assertThat(four.multiplyAccumulates()).isEqualTo(one.multiplyAccumulates());
    assertThat(other.links()).isNotEqualTo(one.links());
  }

  @Test
  void relaysTakeWorkFromTheSource() throws Exception {
    Content content = new Content.Generated(50_000, 1);

    DemoReport report = run(settings(new Code.Dense(), 8, 2, LinkQuality.PERFECT), content, 2);

    assertThat(report.sentBySource()).isLessThan(8 * report.blocks());
    assertThat(report.links().sent()).isGreaterThanOrEqualTo(8 * report.blocks());
  }

  @Test
  void sendsAFile() throws Exception {
    Path file = Files.write(directory.resolve("file"), new byte[12_345]);

    DemoReport report =
        run(settings(new Code.Dense(), 2, 1, BAD), new Content.OfFile(file, 12_345), 2);

    assertThat(report.isEqualEverywhere()).isTrue();
  }

  @Test
  void progressRisesToTheWholeLength() throws Exception {
    List<Long> heard = new ArrayList<>();

    DemoNetwork.run(
        engine,
        settings(new Code.Dense(), 2, 1, BAD),
        new Content.Generated(30_000, 1),
        2,
        heard::add);

    assertThat(heard).isSorted();
    assertThat(heard.getLast()).isEqualTo(30_000);
  }

  @Test
  void aFileThatGrewSinceItWasLookedAtIsRefused() throws Exception {
    Path file = Files.write(directory.resolve("file"), new byte[2000]);

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(
            () -> run(settings(new Code.Dense(), 1, 0, BAD), new Content.OfFile(file, 1000), 1))
        .withMessageContaining("2000 bytes instead of 1000");
  }

  @Test
  void anInterruptStopsEveryThread() {
    Thread.currentThread().interrupt();

    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(
            () -> run(settings(new Code.Dense(), 2, 1, BAD), new Content.Generated(1 << 20, 1), 2));
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.isAlive() && thread.getName().startsWith("pool-"));
  }

  @Test
  void generatedContentDoesNotDependOnReadSizes() throws Exception {
    Content.Generated content = new Content.Generated(200_000, 9);

    byte[] whole;
    try (InputStream bytes = content.open()) {
      whole = bytes.readAllBytes();
    }

    assertThat(whole).hasSize(200_000);
    try (InputStream bytes = content.open()) {
      assertThat(bytes.read()).isEqualTo(whole[0] & 0xFF);
      assertThat(bytes.readNBytes(70_001)).isEqualTo(Arrays.copyOfRange(whole, 1, 70_002));
      assertThat(bytes.readAllBytes()).isEqualTo(Arrays.copyOfRange(whole, 70_002, 200_000));
    }
  }
}
