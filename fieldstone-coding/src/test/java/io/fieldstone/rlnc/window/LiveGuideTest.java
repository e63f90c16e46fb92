package io.fieldstone.rlnc.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example of docs/live.md. */
@Timeout(120) // A stream that stalls must fail.
class LiveGuideTest {

  /** So few that they fit the socket's buffer: only the losses of the test occur. */
  private static final int PACKETS = 150;

  /** The last datagrams arrive, since nothing repairs them. */
  private static final int SPARED = 24;

  private static DatagramChannel channel() throws IOException {
    return DatagramChannel.open()
        .setOption(StandardSocketOptions.SO_RCVBUF, 1 << 20)
        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @Test
  void playsEveryPacketOfAStreamThatLosesOneInTen() throws Exception {
    Random random = new Random(7);
    List<byte[]> packets = new ArrayList<>();
    for (int i = 0; i < PACKETS; i++) {
      byte[] packet = new byte[1 + random.nextInt(300)];
      random.nextBytes(packet);
      packets.add(packet);
    }
    Packets played = new Packets();
    CountDownLatch left = new CountDownLatch(PACKETS);
    PacketSink screen =
        new PacketSink() {
          @Override
          public void packet(long id, MemorySegment packet) {
            played.packet(id, packet);
            left.countDown();
          }

          @Override
          public void gap(long first, long count) {
            played.gap(first, count);
            for (long i = 0; i < count; i++) {
              left.countDown();
            }
          }
        };
    int[] datagrams = new int[1];
    int[] lost = new int[1];
    try (Engine engine = Engine.open("cpu");
        DatagramChannel viewer = channel();
        DatagramChannel camera = channel();
        ExecutorService threads = Executors.newSingleThreadExecutor()) {
      viewer.connect(camera.getLocalAddress());
      camera.connect(viewer.getLocalAddress());
      Callable<Boolean> playing =
          () -> {
            try {
              LiveExample.play(viewer, engine, screen);
              return false;
            } catch (ClosedByInterruptException e) {
              return true;
            }
          };
      Future<Boolean> ended = threads.submit(playing);
      LiveExample.send(
          camera,
          engine,
          packets.iterator(),
          () -> {
            boolean isSpared =
                datagrams[0]++ >= PACKETS + PACKETS / LiveExample.SOURCES_PER_REPAIR - SPARED;
            boolean isLost = !isSpared && random.nextInt(10) == 0;
            lost[0] += isLost ? 1 : 0;
            return isLost;
          });
      left.await();
      threads.shutdownNow();
      assertThat(ended.get()).isTrue();
    }
    assertThat(lost[0]).isGreaterThan(5);
    assertThat(played.gaps()).isEmpty();
    assertThat(played.order()).hasSize(PACKETS).isSorted();
    played
        .packets()
        .forEach((id, bytes) -> {
          assertThat(bytes).as("%d", id).isEqualTo(packets.get((int) (long) id));
        });
  }

  /** Maven runs the tests of a module in its folder. */
  @Test
  void theGuideHasTheExample() throws IOException {
    assertThat(Files.readString(Path.of("../docs/live.md")))
        .contains("```java\n" + example() + "\n```\n");
    assertThat(example().lines()).hasSizeLessThan(60);
  }

  private static String example() throws IOException {
    Path file = Path.of("src/test/java/io/fieldstone/rlnc/window/LiveExample.java");
    String source = Files.readString(file);
    return source
        .substring(
            source.indexOf('\n', source.indexOf("// example begin")) + 1,
            source.indexOf("  // example end") - 1)
        .stripIndent();
  }
}
