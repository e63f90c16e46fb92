package io.fieldstone.rlnc.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ResidentBlocks;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class GenerationCacheTest {

  private static final int N = 4;
  private static final int K = 3;
  private static final TestObject OBJECT = TestObject.random(new Random(1), 5 * N * K, N, K);

  @AutoClose private final Engine engine = Engine.open("cpu:scalar");
  private int products;

  /** Counts the products with blocks that stay on the engine. */
  private Engine counting() {
    return watched(
        Engine.class,
        (_, method, arguments) -> {
          Object made = method.invoke(engine, arguments);
          return made instanceof ResidentBlocks blocks ? counting(blocks) : made;
        });
  }

  private ResidentBlocks counting(ResidentBlocks blocks) {
    return watched(
        ResidentBlocks.class,
        (_, method, arguments) -> {
          products += method.getName().equals("multiply") ? 1 : 0;
          return method.invoke(blocks, arguments);
        });
  }

  private static <T> T watched(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** Sends all coded blocks that a receiver of generation 1 wants. */
  private static List<byte[]> send(ObjectSender sender, int number, int deficit) throws Exception {
    sender.onReport(new byte[] {3, 0, (byte) number, 0, 0, 0, 0, 0, 1, 0, (byte) deficit, 0});
    List<byte[]> packets = new ArrayList<>();
    while (sender.hasNext()) {
      byte[] packet = new byte[sender.maxPacketBytes()];
      packets.add(Arrays.copyOf(packet, sender.next(packet)));
    }
    return packets;
  }

  @Test
  void oneProductServesAllBlocksOfAllReceivers() throws Exception {
    try (GenerationCache cache = new GenerationCache(counting(), 1000);
        SourceObject source = cache.open(OBJECT.manifest(), 1, OBJECT);
        ObjectSender one = new ObjectSender(source, 0);
        ObjectSender other = new ObjectSender(source, 0)) {
      List<byte[]> packets = send(one, 0, 10);
      assertThat(packets).hasSize(10);
      assertThat(products).isEqualTo(1);
      assertThat(send(other, 0, 10)).usingElementComparator(Arrays::compare).isEqualTo(packets);
      assertThat(products).isEqualTo(1);
      assertThat(send(other, 1, 15)).hasSize(5);
      assertThat(products).isEqualTo(2);
    }
  }

  @Test
  void theGenerationLeastRecentlyUsedIsRemovedFirst() {
    try (GenerationCache cache = new GenerationCache(engine, 3 * N * K);
        SourceObject source = cache.open(OBJECT.manifest(), 1, OBJECT)) {
      for (int generation : new int[] {0, 1, 2, 0, 3, 2, 4}) {
        source.unpin(source.pin(generation));
      }
      assertThat(List.of(0, 1, 2, 3, 4)).filteredOn(source::isLoaded).containsExactly(2, 3, 4);
      source.unpin(source.pin(2));
      source.unpin(source.pin(1));
      assertThat(List.of(0, 1, 2, 3, 4)).filteredOn(source::isLoaded).containsExactly(1, 2, 4);
    }
  }
}
