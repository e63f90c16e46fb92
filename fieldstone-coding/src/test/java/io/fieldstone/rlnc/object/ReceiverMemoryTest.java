package io.fieldstone.rlnc.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.HostMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.MemorySegment.Scope;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ReceiverMemoryTest {

  @AutoClose private final Engine engine = Engine.open("cpu:scalar");

  @Test
  void memoryIsTakenOver() {
    try (ReceiverMemory memory = new ReceiverMemory(engine, 1 << 16)) {
      Set<Scope> scopes = new HashSet<>();
      for (long bytes = 600; bytes <= 1024; bytes++) {
        HostMemory one = memory.allocate(bytes);
        assertThat(one.segment().byteSize()).isEqualTo(bytes);
        scopes.add(one.segment().scope());
        one.close();
        one.close();
      }
      assertThat(scopes).hasSize(1);
      HostMemory first = memory.allocate(1000);
      HostMemory second = memory.allocate(1000);
      assertThat(first.segment().asOverlappingSlice(second.segment())).isEmpty();
      first.close();
      second.close();
    }
  }

  @Test
  void idleMemoryIsBounded() {
    ReceiverMemory memory = new ReceiverMemory(engine, 3 << 10);
    HostMemory large = memory.allocate(2 << 10);
    HostMemory small = memory.allocate(1 << 10);
    HostMemory more = memory.allocate(1 << 10);
    large.close();
    small.close();
    assertThat(isAlive(large) && isAlive(small)).isTrue();
    more.close();
    assertThat(isAlive(more)).isFalse();
    HostMemory huge = memory.allocate((1 << 20) + 1);
    huge.close();
    assertThat(isAlive(huge)).isFalse();
    memory.close();
    assertThat(isAlive(large) || isAlive(small)).isFalse();
    HostMemory late = memory.allocate(5);
    late.close();
    assertThat(isAlive(late)).isFalse();
  }

  private static boolean isAlive(HostMemory memory) {
    MemorySegment segment = memory.segment();
    return segment.scope().isAlive();
  }

  @Test
  void receiversOfManyObjectsUseTheSameMemory() throws Exception {
    TestObject object = TestObject.random(new Random(1), 3 * 4 * 8, 4, 8);
    try (ReceiverMemory memory = new ReceiverMemory(engine, 1 << 20);
        GenerationCache cache = new GenerationCache(engine, 1 << 20)) {
      for (int i = 0; i < 5; i++) {
        TestObject.Store store = object.store();
        try (ObjectSender sender = new ObjectSender(cache.open(object.manifest(), i, object), 0);
            ObjectReceiver receiver =
                ObjectReceiver.builder(engine, object.hashes(), store).memory(memory).build()) {
          int number = receiver.addSender(i, SenderKind.ORIGIN, 0);
          byte[] report = new byte[200];
          byte[] packet = new byte[sender.maxPacketBytes()];
          while (!receiver.isComplete()) {
            int bytes = receiver.report(number, 0, report);
            sender.onReport(Arrays.copyOf(report, bytes));
            while (sender.hasNext()) {
              bytes = sender.next(packet);
              receiver.receive(number, Arrays.copyOf(packet, bytes));
            }
          }
          assertThat(store.isRight()).isTrue();
        }
      }
    }
  }

  @Test
  void refusesANegativeBound() {
    assertThatThrownBy(() -> new ReceiverMemory(engine, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxIdleBytes -1 is less than 0");
  }
}
