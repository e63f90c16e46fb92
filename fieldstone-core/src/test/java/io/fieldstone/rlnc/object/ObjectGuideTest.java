package io.fieldstone.rlnc.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of docs/objects.md. */
@Timeout(120) // A transfer that stalls must fail.
class ObjectGuideTest {

  private static final long SEED = 42;
  private static final long RELAY_SEED = 43;
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private final TestObject object = TestObject.random(new Random(5), 1 << 20, 64, 1200);

  /** Loses one packet in five. */
  private static BooleanSupplier losses() {
    Random random = new Random(6);
    return () -> random.nextInt(5) == 0;
  }

  @Test
  void transfersAnObjectOverUdpThatLosesOnePacketInFive() throws Exception {
    try (Engine engine = Engine.open("cpu");
        GenerationCache cache = new GenerationCache(engine, 1 << 20);
        SourceObject source = cache.open(object.manifest(), SEED, object);
        DatagramChannel server = DatagramChannel.open().bind(ANY);
        DatagramChannel client = DatagramChannel.open().connect(server.getLocalAddress());
        ExecutorService threads = Executors.newSingleThreadExecutor()) {
      Future<?> serving =
          untilInterrupted(threads, () -> LossyTransferExample.serve(server, source, losses()));
      MemorySegment fetched =
          LossyTransferExample.fetch(client, engine, object.hashes(), SEED, SenderKind.ORIGIN);
      threads.shutdownNow();
      serving.get();

      assertThat(fetched.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(object.content());
    }
  }

  @Test
  void relaysAnObjectThatItFetchesItself() throws Exception {
    try (Engine engine = Engine.open("cpu");
        GenerationCache cache = new GenerationCache(engine, 1 << 20);
        SourceObject source = cache.open(object.manifest(), SEED, object);
        DatagramChannel server = DatagramChannel.open().bind(ANY);
        DatagramChannel relayUp = DatagramChannel.open().connect(server.getLocalAddress());
        DatagramChannel relayDown = DatagramChannel.open().bind(ANY);
        DatagramChannel client = DatagramChannel.open().connect(relayDown.getLocalAddress());
        ExecutorService threads = Executors.newFixedThreadPool(2)) {
      TestObject.Store store = object.store();
      Future<?> serving =
          untilInterrupted(threads, () -> LossyTransferExample.serve(server, source, losses()));
      Future<?> relaying =
          untilInterrupted(
              threads,
              () ->
                  RelayExample.relay(
                      relayUp, relayDown, engine, object.hashes(), SEED, RELAY_SEED, store));
      MemorySegment fetched =
          LossyTransferExample.fetch(client, engine, object.hashes(), RELAY_SEED, SenderKind.RELAY);
      threads.shutdownNow();
      serving.get();
      relaying.get();

      assertThat(fetched.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(object.content());
      assertThat(store.isRight()).isTrue();
    }
  }

  /** The packets fit the socket's buffer, so only the losses of the example occur. */
  @Test
  void playsEveryFrameOfAStreamThatLosesOnePacketInTen() throws Exception {
    Random random = new Random(7);
    List<byte[]> frames = new ArrayList<>();
    for (int i = 0; i < 3 * LiveStreamExample.FRAMES; i++) {
      byte[] frame = new byte[LiveStreamExample.SHAPE.blockSize()];
      random.nextBytes(frame);
      frames.add(frame);
    }
    List<byte[]> played = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch left = new CountDownLatch(frames.size());
    int[] lost = new int[1];
    try (Engine engine = Engine.open("cpu");
        DatagramChannel client = DatagramChannel.open().bind(ANY);
        DatagramChannel server = DatagramChannel.open().bind(ANY);
        ExecutorService threads = Executors.newSingleThreadExecutor()) {
      client.setOption(StandardSocketOptions.SO_RCVBUF, 1 << 20);
      client.connect(server.getLocalAddress());
      server.connect(client.getLocalAddress());
      Random losses = new Random(8);
      Future<?> playing =
          untilInterrupted(
              threads,
              () ->
                  LiveStreamExample.play(
                      client,
                      engine,
                      frame -> {
                        played.add(frame.clone());
                        left.countDown();
                      }));
      LiveStreamExample.send(
          server,
          engine,
          frames.iterator(),
          () -> {
            boolean isLost = losses.nextInt(10) == 0;
            lost[0] += isLost ? 1 : 0;
            return isLost;
          });
      left.await();
      threads.shutdownNow();
      playing.get();
    }
    assertThat(lost[0]).isPositive();
    assertThat(played).usingElementComparator(Arrays::compare).containsExactlyElementsOf(frames);
  }

  /** Maven runs the tests of a module in its folder. */
  @ParameterizedTest
  @ValueSource(strings = {"LossyTransferExample", "RelayExample", "LiveStreamExample"})
  void theGuideHasTheExamples(String name) throws IOException {
    assertThat(Files.readString(Path.of("../docs/objects.md")))
        .contains("```java\n" + example(name) + "\n```\n");
  }

  @Test
  void aLossyTransferTakesUnder40Lines() throws IOException {
    assertThat(example("LossyTransferExample").lines()).hasSizeLessThan(40);
  }

  private static String example(String name) throws IOException {
    Path file = Path.of("src/test/java/io/fieldstone/rlnc/object/" + name + ".java");
    String source = Files.readString(file);
    return source
        .substring(
            source.indexOf('\n', source.indexOf("// example begin")) + 1,
            source.indexOf("  // example end") - 1)
        .stripIndent();
  }

  private interface Endless {
    void run() throws Exception;
  }

  private static Future<?> untilInterrupted(ExecutorService threads, Endless endless) {
    Callable<Void> task =
        () -> {
          try {
            endless.run();
          } catch (ClosedByInterruptException | InterruptedException e) {
            // The receiver has all.
          }
          return null;
        };
    return threads.submit(task);
  }
}
