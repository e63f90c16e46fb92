package io.fieldstone.rlnc.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Generations that are read by other threads, one step at a time. */
class GenerationLoadTest {

  private static final int N = 8;
  private static final int K = 16;
  private static final int BYTES = N * K;

  private final Engine engine = Engine.open("cpu:scalar");
  private final TestObject object = TestObject.random(new Random(4), 9 * BYTES - 5, N, K);
  private final List<GenerationLoad> loads = new ArrayList<>();
  private final TestObject.Store store = object.store();
  private IntPredicate fails = generation -> false;
  private int wakeUps;

  @AfterEach
  void close() {
    engine.close();
  }

  private GenerationCache cache(long bytes) {
    return new GenerationCache(engine, bytes, loads::add);
  }

  private SourceObject open(GenerationCache cache) {
    return cache.open(
        object.manifest(),
        1,
        (generation, destination) -> {
          if (fails.test(generation)) {
            throw new IOException("generation " + generation + " is damaged");
          }
          object.read(generation, destination);
        });
  }

  private ObjectSender sender(SourceObject source) {
    ObjectSender sender = new ObjectSender(source, 3);
    sender.onLoaded(() -> wakeUps++);
    return sender;
  }

  private ObjectReceiver receiver() {
    return receiver(ReceiverOptions.DEFAULT);
  }

  /** A receiver that asks for one generation at a time. */
  private ObjectReceiver receiverOfOne() {
    return receiver(ReceiverOptions.DEFAULT.withWindowBytes(2L * BYTES + N * N));
  }

  private ObjectReceiver receiver(ReceiverOptions options) {
    return ObjectReceiver.builder(engine, object.hashes(), store).options(options).build();
  }

  private static void report(ObjectReceiver receiver, int number, ObjectSender sender)
      throws Exception {
    byte[] report = new byte[ObjectReceiver.MIN_REPORT_BYTES + 100];
    sender.onReport(Arrays.copyOf(report, receiver.report(number, 0, report)));
  }

  /** Delivers all packets that the sender has, and returns their number. */
  private static int deliver(ObjectSender sender, ObjectReceiver receiver, int number)
      throws Exception {
    byte[] packet = new byte[sender.maxPacketBytes()];
    int packets = 0;
    for (int bytes = sender.next(packet); bytes > 0; bytes = sender.next(packet)) {
      receiver.receive(number, Arrays.copyOf(packet, bytes));
      packets++;
    }
    return packets;
  }

  private void finish(int generation) {
    GenerationLoad load =
        loads.stream().filter(each -> each.generation() == generation).findFirst().orElseThrow();
    loads.remove(load);
    load.run();
    load.finish();
  }

  @Test
  void sendsNothingUntilAGenerationIsReadAndThenThatOne() throws Exception {
    try (GenerationCache cache = cache(100 * BYTES);
        SourceObject source = open(cache);
        ObjectSender sender = sender(source);
        ObjectReceiver receiver = receiver()) {
      int number = receiver.addSender(1, SenderKind.ORIGIN, 3);
      report(receiver, number, sender);
      assertThat(deliver(sender, receiver, number)).isZero();
      report(receiver, number, sender);
      assertThat(deliver(sender, receiver, number)).isZero();
      assertThat(sender.hasNext()).isFalse();
      // The sender reads ahead, and sends first what was read first.
      assertThat(loads).extracting(GenerationLoad::generation).containsExactly(0, 1, 2, 3, 4);
      finish(0);
      assertThat(wakeUps).isEqualTo(1);
      assertThat(deliver(sender, receiver, number)).isEqualTo(N);
      report(receiver, number, sender);
      assertThat(deliver(sender, receiver, number)).isZero();
      assertThat(loads).extracting(GenerationLoad::generation).containsExactly(1, 2, 3, 4, 5);
      finish(3);
      assertThat(deliver(sender, receiver, number)).isEqualTo(N);
      assertThat(receiver.isVerified(3)).isTrue();
      assertThat(loads).extracting(GenerationLoad::generation).containsExactly(1, 2, 4, 5, 6);
      while (!loads.isEmpty()) {
        finish(loads.getLast().generation());
        deliver(sender, receiver, number);
      }
      assertThat(store.isRight()).isTrue();
    }
  }

  @Test
  void readsSeveralAheadOnceFewAreLeft() throws Exception {
    try (GenerationCache cache = cache(100 * BYTES);
        SourceObject source = open(cache);
        ObjectSender sender = sender(source);
        ObjectReceiver receiver = receiver()) {
      int number = receiver.addSender(1, SenderKind.ORIGIN, 3);
      report(receiver, number, sender);
      byte[] packet = new byte[sender.maxPacketBytes()];
      while (sender.hasNext()) {
        assertThat(sender.next(packet)).isZero();
      }
      List.of(0, 1, 2, 3, 4).forEach(this::finish);
      for (int generation = 0; generation < 4; generation++) {
        for (int i = 0; i < N; i++) {
          assertThat(sender.next(packet)).isPositive();
          assertThat(loads).hasSize(generation < 3 ? 0 : 4);
        }
      }
    }
  }

  @Test
  void readsAheadOnlyWithinTheBound() throws Exception {
    try (GenerationCache cache = cache(3 * BYTES);
        SourceObject source = open(cache);
        ObjectSender sender = sender(source);
        ObjectReceiver receiver = receiver()) {
      int number = receiver.addSender(1, SenderKind.ORIGIN, 3);
      while (!receiver.isComplete()) {
        report(receiver, number, sender);
        deliver(sender, receiver, number);
        assertThat(loads).hasSizeLessThanOrEqualTo(3);
        assertThat(cache.bytes()).isLessThanOrEqualTo(4 * BYTES);
        if (!loads.isEmpty()) {
          finish(loads.getFirst().generation());
        }
      }
      assertThat(store.isRight()).isTrue();
    }
  }

  @Test
  void aFailedReadIsThrownOnceAndTriedAgain() throws Exception {
    fails = generation -> generation == 0;
    try (GenerationCache cache = cache(100 * BYTES);
        SourceObject source = open(cache);
        ObjectSender sender = sender(source);
        ObjectReceiver receiver = receiverOfOne()) {
      int number = receiver.addSender(1, SenderKind.ORIGIN, 3);
      report(receiver, number, sender);
      assertThat(deliver(sender, receiver, number)).isZero();
      finish(0);
      assertThatThrownBy(() -> sender.next(new byte[sender.maxPacketBytes()]))
          .isInstanceOf(IOException.class)
          .hasMessage("generation 0 is damaged");
      assertThat(cache.bytes()).isZero();
      fails = generation -> false;
      assertThat(deliver(sender, receiver, number)).isZero();
      finish(0);
      assertThat(deliver(sender, receiver, number)).isEqualTo(N);
    }
  }

  @Test
  void aReadThatOutlivesItsObjectKeepsItsMemory() throws Exception {
    GenerationCache cache = cache(100 * BYTES);
    MemorySegment[] destination = new MemorySegment[1];
    SourceObject source = cache.open(object.manifest(), 1, (generation, to) -> destination[0] = to);
    ObjectSender sender = sender(source);
    ObjectReceiver receiver = receiverOfOne();
    report(receiver, receiver.addSender(1, SenderKind.ORIGIN, 3), sender);
    assertThat(sender.next(new byte[sender.maxPacketBytes()])).isZero();
    GenerationLoad load = loads.getFirst();
    assertThatThrownBy(load::finish)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the load of generation 0 has not run");

    sender.close();
    source.close();
    receiver.close();
    assertThat(cache.bytes()).isEqualTo(BYTES);
    load.run();
    destination[0].fill((byte) 1);
    load.finish();

    assertThat(cache.bytes()).isZero();
    assertThat(wakeUps).isZero();
    load.finish();
    cache.close();
  }

  @Test
  void aClosedCacheReadsNothingMore() throws Exception {
    GenerationCache cache = cache(100 * BYTES);
    SourceObject source = open(cache);
    ObjectSender sender = sender(source);
    ObjectReceiver receiver = receiver();
    report(receiver, receiver.addSender(1, SenderKind.ORIGIN, 3), sender);
    assertThat(sender.next(new byte[sender.maxPacketBytes()])).isZero();
    sender.close();
    receiver.close();

    cache.close();

    assertThat(cache.bytes()).isZero();
    fails =
        generation -> {
          throw new AssertionError("read after the end");
        };
    loads.getFirst().run();
  }
}
