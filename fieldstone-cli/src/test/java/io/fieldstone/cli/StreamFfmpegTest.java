package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.net.impairment.ImpairedLink;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.impairment.Loss;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The chain of docs/live.md: ffmpeg, two commands with a lossy path between them, ffmpeg. */
@Timeout(180)
class StreamFfmpegTest {
  private static final long MILLI = 1_000_000;
  private static final Impairment LOSSY =
      Impairment.NONE.withDelay(10 * MILLI, 0).withLoss(Loss.random(0.05));
  private static final int SECONDS = 8;

  @TempDir private Path folder;

  private static Process ffmpeg(Path errors, String... words) throws IOException {
    return new ProcessBuilder(
            TestFolder.join(new String[] {"ffmpeg", "-nostdin", "-v", "error"}, words))
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(errors.toFile())
        .start();
  }

  private static int freePort() throws IOException {
    try (DatagramSocket socket =
        new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      return socket.getLocalPort();
    }
  }

  @Test
  void aTransportStreamHasNoErrorAfterALossyPath() throws Exception {
    Path playerErrors = folder.resolve("player");
    Path cameraErrors = folder.resolve("camera");
    int port = freePort();
    Process player;
    try {
      String seconds = String.valueOf(SECONDS - 2);
      String from = "udp://127.0.0.1:" + port;
      player = ffmpeg(playerErrors, "-i", from, "-t", seconds, "-f", "null", "-");
    } catch (IOException e) {
      Assumptions.abort("no ffmpeg: " + e.getMessage());
      return;
    }
    String[] send = {"stream", "send", "udp://127.0.0.1:0", "--listen", "127.0.0.1:0"};
    String[] state = {"--json", "--deadline", "2s", "--state"};
    try (BackgroundRun sender =
            BackgroundRun.start(
                TestFolder.join(send, TestFolder.join(state, folder.resolve("s").toString())));
        ImpairedLink link = ImpairedLink.open(listening(sender.ready()), LOSSY, LOSSY, 7);
        BackgroundRun receiver =
            BackgroundRun.start(
                "stream",
                "receive",
                "--from",
                "127.0.0.1:" + link.address().getPort(),
                "-o",
                "udp://127.0.0.1:" + port,
                "--json",
                "--state",
                folder.resolve("r").toString())) {
      sender.awaitLine(line -> line.contains("\"receivers\":1"));
      // The player is there before the first packet: in the middle of a stream it would complain
      // until a key frame comes.
      int input = URI.create(sender.ready().get("source").asString()).getPort();
      String[] film = {
        "-re", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-t", String.valueOf(SECONDS)
      };
      String[] codec = {
        "-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-g", "25", "-b:v", "2M"
      };
      String[] output = {"-f", "mpegts", "udp://127.0.0.1:%d?pkt_size=1316".formatted(input)};
      Process camera = ffmpeg(cameraErrors, TestFolder.join(TestFolder.join(film, codec), output));
      try {
        assertThat(camera.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(cameraErrors)).isEmpty();
        boolean hasEnded = player.waitFor(60, TimeUnit.SECONDS);
        JsonNode received = receiver.objects().getLast();
        assertThat(hasEnded).as("%s", received).isTrue();
        assertThat(received.get("repaired").asLong()).isPositive();
        assertThat(received.get("residual").asLong()).isZero();
        assertThat(Files.readString(playerErrors)).isEmpty();
        assertThat(player.exitValue()).isZero();
      } finally {
        camera.destroyForcibly();
      }
    } finally {
      player.destroyForcibly();
    }
  }

  private static InetSocketAddress listening(JsonNode ready) {
    String address = ready.get("listen").asString();
    int colon = address.lastIndexOf(':');
    int port = Integer.parseInt(address.substring(colon + 1));
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }
}
