package io.fieldstone.rlnc.object;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.object.PeerExample.Peer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
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

  private static Peer peer(DatagramChannel channel, DatagramChannel other) throws IOException {
    return new Peer(channel, other.getLocalAddress());
  }

  /** Sends datagrams that are no packets and no reports, from the peer and from a stranger. */
  private static void sendStrays(DatagramChannel peer, DatagramChannel to) throws IOException {
    try (DatagramChannel stranger = DatagramChannel.open().bind(ANY)) {
      for (DatagramChannel from : List.of(peer, stranger)) {
        for (byte[] stray : new byte[][] {"hello".getBytes(UTF_8), {}, new byte[1500]}) {
          from.send(ByteBuffer.wrap(stray), to.getLocalAddress());
        }
      }
    }
  }

  @Test
  void transfersAnObjectOverUdpThatLosesOnePacketInFive() throws Exception {
    try (Engine engine = Engine.open("cpu");
        GenerationCache cache = new GenerationCache(engine, 1 << 20);
        SourceObject source = cache.open(object.manifest(), SEED, object);
        DatagramChannel server = DatagramChannel.open().bind(ANY);
        DatagramChannel client = DatagramChannel.open().bind(ANY);
        ExecutorService threads = Executors.newSingleThreadExecutor()) {
      sendStrays(server, client);
      sendStrays(client, server);
      Peer receiver = peer(server, client);
      Future<?> serving =
          untilInterrupted(threads, () -> LossyTransferExample.serve(receiver, source, losses()));
      MemorySegment fetched =
          LossyTransferExample.fetch(
              peer(client, server), engine, object.hashes(), SEED, SenderKind.ORIGIN);
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
        DatagramChannel relayUp = DatagramChannel.open().bind(ANY);
        DatagramChannel relayDown = DatagramChannel.open().bind(ANY);
        DatagramChannel client = DatagramChannel.open().bind(ANY);
        ExecutorService threads = Executors.newFixedThreadPool(2)) {
      sendStrays(server, relayUp);
      sendStrays(client, relayDown);
      TestObject.Store store = object.store();
      Peer relay = peer(server, relayUp);
      Peer origin = peer(relayUp, server);
      Peer receiver = peer(relayDown, client);
      Future<?> serving =
          untilInterrupted(threads, () -> LossyTransferExample.serve(relay, source, losses()));
      Future<?> relaying =
          untilInterrupted(
              threads,
              () ->
                  RelayExample.relay(
                      origin, receiver, engine, object.hashes(), SEED, RELAY_SEED, store));
      MemorySegment fetched =
          LossyTransferExample.fetch(
              peer(client, relayDown), engine, object.hashes(), RELAY_SEED, SenderKind.RELAY);
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
      sendStrays(server, client);
      Random losses = new Random(8);
      Future<?> playing =
          untilInterrupted(
              threads,
              () ->
                  LiveStreamExample.play(
                      peer(client, server),
                      engine,
                      frame -> {
                        played.add(frame.clone());
                        left.countDown();
                      }));
      LiveStreamExample.send(
          peer(server, client),
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
  @ValueSource(
      strings = {"PeerExample", "LossyTransferExample", "RelayExample", "LiveStreamExample"})
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
