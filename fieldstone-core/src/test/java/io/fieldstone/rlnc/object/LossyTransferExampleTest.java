package io.fieldstone.rlnc.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120) // A transfer that stalls must fail.
class LossyTransferExampleTest {

  @Test
  void transfersAnObjectOverUdpThatLosesOnePacketInFive() throws Exception {
    TestObject object = TestObject.random(new Random(5), 1 << 20, 64, 1200);
    TestObject.Store store = object.store();
    Random losses = new Random(6);
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (Engine engine = Engine.open("cpu");
        GenerationCache cache = new GenerationCache(engine, 1 << 20);
        SourceObject source = cache.open(object.manifest(), 42, object);
        DatagramChannel server = DatagramChannel.open().bind(any);
        DatagramChannel client = DatagramChannel.open().connect(server.getLocalAddress());
        ExecutorService threads = Executors.newSingleThreadExecutor()) {
      Future<?> serving =
          threads.submit(() -> {
            try {
              LossyTransferExample.serve(server, source, () -> losses.nextInt(5) == 0);
            } catch (ClosedByInterruptException e) {
              // The receiver has all.
            }
            return null;
          });
      LossyTransferExample.fetch(client, engine, object.hashes(), source.seed(), store);
      threads.shutdownNow();
      serving.get();
    }
    assertThat(store.isRight()).isTrue();
  }

  /** Maven runs the tests of a module in its folder. */
  @Test
  void hasLessThanFortyLines() throws Exception {
    Path file = Path.of("src/test/java/io/fieldstone/rlnc/object/LossyTransferExample.java");
    String source = Files.readString(file);
    String example =
        source.substring(source.indexOf("// example begin"), source.indexOf("// example end"));
    assertThat(example.lines().skip(1).filter(line -> !line.isBlank()).count()).isLessThan(40);
  }
}
