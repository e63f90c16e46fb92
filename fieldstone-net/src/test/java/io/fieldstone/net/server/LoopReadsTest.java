package io.fieldstone.net.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.net.carrier.Loop;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.object.GenerationCache;
import io.fieldstone.rlnc.object.GenerationStore;
import io.fieldstone.rlnc.object.MemoryObject;
import io.fieldstone.rlnc.object.ObjectReceiver;
import io.fieldstone.rlnc.object.ObjectSender;
import io.fieldstone.rlnc.object.SenderKind;
import io.fieldstone.rlnc.object.SourceObject;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class LoopReadsTest {

  private static final int GENERATIONS = 7;

  /** The tasks of the loop, which this thread runs. */
  private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

  private final Loop loop =
      (task, _) -> {
        tasks.add(task);
        return () -> {};
      };

  /** Two objects in turn: what one turn of the loop wants is read by few tasks, and all of it. */
  @Test
  void generationsOfOneObjectAreReadTogether() throws Exception {
    Map<String, Thread> threads = new ConcurrentSkipListMap<>();
    try (Engine engine = Engine.open("cpu:scalar");
        FileReaders readers = new FileReaders();
        GenerationCache cache =
            new GenerationCache(engine, 1 << 24, new LoopReads(loop, readers)::add)) {
      List<Asked> objects = new ArrayList<>();
      for (String name : List.of("a", "b")) {
        objects.add(Asked.of(engine, cache, name, threads));
      }
      for (Asked each : objects) {
        assertThat(each.send()).isZero();
      }
      assertThat(tasks).hasSize(1);
      tasks.take().run();
      // Five generations of each are read ahead, four by a task.
      for (int i = 0; i < 4; i++) {
        tasks.take().run();
      }
      assertThat(threads)
          .containsOnlyKeys("a0", "a1", "a2", "a3", "a4", "b0", "b1", "b2", "b3", "b4");
      assertThat(threads.get("a0")).isSameAs(threads.get("a3"));
      for (Asked each : objects) {
        assertThat(each.send()).isPositive();
        each.close();
      }
    }
  }

  /** A sender of which a receiver has asked for an object. */
  private record Asked(SourceObject source, ObjectSender sender) {

    static Asked of(Engine engine, GenerationCache cache, String name, Map<String, Thread> threads)
        throws Exception {
      GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 64, 1200);
      byte[] content = name.repeat(64 * 1200 * GENERATIONS).getBytes(StandardCharsets.US_ASCII);
      MemoryObject object = MemoryObject.of(shape, MemorySegment.ofArray(content));
      SourceObject source =
          cache.open(
              object.manifest(),
              1,
              (generation, destination) -> {
                threads.put(name + generation, Thread.currentThread());
                object.read(generation, destination);
              });
      ObjectSender sender = new ObjectSender(source, 1);
      GenerationStore nothing =
          new GenerationStore() {
            @Override
            public void read(int generation, MemorySegment destination) {}

            @Override
            public void verified(int generation, MemorySegment bytes) {}
          };
      try (ObjectReceiver receiver =
          ObjectReceiver.builder(engine, object.hashes(), nothing).build()) {
        byte[] report = new byte[ObjectReceiver.MIN_REPORT_BYTES + 100];
        int bytes = receiver.report(receiver.addSender(1, SenderKind.ORIGIN, 1), 0, report);
        sender.onReport(Arrays.copyOf(report, bytes));
      }
      return new Asked(source, sender);
    }

    /** Writes a packet and returns its bytes; 0 if there is none. */
    int send() throws Exception {
      byte[] packet = new byte[sender.maxPacketBytes()];
      int bytes = sender.next(packet);
      while (sender.hasNext() && bytes == 0) {
        bytes = sender.next(packet);
      }
      return bytes;
    }

    void close() {
      sender.close();
      source.close();
    }
  }
}
