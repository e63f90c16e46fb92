package io.fieldstone.papers;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineStatus;
import io.fieldstone.engine.coding.Products;
import io.fieldstone.rlnc.window.Delivery;
import io.fieldstone.rlnc.window.PacketSink;
import io.fieldstone.rlnc.window.Repair;
import io.fieldstone.rlnc.window.WindowCode;
import io.fieldstone.rlnc.window.WindowDecoder;
import io.fieldstone.rlnc.window.WindowEncoder;
import io.fieldstone.rlnc.window.WindowRecoder;
import io.fieldstone.rlnc.window.WindowShape;
import io.fieldstone.rlnc.window.WindowVector;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Codes over sliding windows give the same bytes on every engine of this machine. */
@Execution(ExecutionMode.CONCURRENT)
class WindowEnginesTest {

  private static final long SEED = 8681;

  /** Of symbols of one cache line at most, and of several with a part of one. */
  private static final WindowShape[] SHAPES = {WindowShape.of(21, 16), WindowShape.of(1316, 48)};

  @Test
  void everyEngineWithProductsGivesTheSameSymbolsAndPackets() {
    Map<String, byte[]> expected = new HashMap<>();
    try (Engine oracle = Engine.open("cpu:scalar")) {
      runAll(oracle, expected);
    }
    Set<String> compared = new HashSet<>();
    for (EngineStatus status : Engine.available()) {
      if (status.isPresent()) {
        try (Engine engine = Engine.open(status.spec())) {
          if (engine.find(Products.class).isPresent()) {
            Map<String, byte[]> actual = new HashMap<>();
            runAll(engine, actual);
            actual.forEach((run, bytes) ->
                assertThat(bytes).as("%s, %s", status.spec(), run).isEqualTo(expected.get(run)));
            compared.add(status.spec());
          }
        }
      }
    }
    assertThat(compared).contains("cpu", "cpu:scalar", "cpu:table-log", "cpu:loop-word");
  }

  private static void runAll(Engine engine, Map<String, byte[]> transcripts) {
    for (WindowShape shape : SHAPES) {
      for (WindowCode code : new WindowCode[] {WindowCode.GF256, WindowCode.GF2}) {
        transcripts.put(shape + ", " + code, new Stream(engine, shape, code).run());
      }
    }
  }

  /** A stream over a lossy path to a relay and on to a receiver; all that they emit is recorded. */
  private static final class Stream implements PacketSink {
    private static final int PACKETS = 300;

    private final Engine engine;
    private final WindowShape shape;
    private final WindowCode code;
    private final Random random = new Random(SEED);
    private final ByteArrayOutputStream transcript = new ByteArrayOutputStream();
    private int delivered;

    Stream(Engine engine, WindowShape shape, WindowCode code) {
      this.engine = engine;
      this.shape = shape;
      this.code = code;
    }

    byte[] run() {
      MemorySegment symbol = MemorySegment.ofArray(new byte[shape.symbolBytes()]);
      MemorySegment coefficients = MemorySegment.ofArray(new byte[shape.window()]);
      try (WindowEncoder encoder = WindowEncoder.open(engine, shape, code, 0);
          WindowRecoder relay = WindowRecoder.open(engine, shape, code, SEED, 0);
          WindowDecoder decoder = WindowDecoder.open(engine, shape, code, Delivery.IN_ORDER, 0)) {
        for (int id = 0; id < PACKETS; id++) {
          byte[] bytes = new byte[1 + random.nextInt(shape.largestPacket())];
          random.nextBytes(bytes);
          MemorySegment packet = MemorySegment.ofArray(bytes);
          encoder.add(packet);
          if (random.nextInt(5) > 0) {
            relay.source(id, packet);
            if (random.nextInt(5) > 0) {
              decoder.source(id, packet, this);
            }
          }
          if (random.nextInt(3) > 0) {
            Repair repair = encoder.repair(id, symbol);
            record(repair.first(), symbol);
            relay.repair(repair, symbol);
          }
          if (random.nextInt(3) > 0 && !relay.isEmpty()) {
            WindowVector vector = relay.next(coefficients, symbol);
            record(vector.first(), vector.coefficients());
            record(vector.first(), symbol);
            decoder.recoded(vector.first(), vector.coefficients(), symbol, this);
          }
          encoder.acknowledge(decoder.acknowledgement().firstMissing());
        }
        assertThat(decoder.damaged()).isZero();
      }
      assertThat(delivered).as("delivered packets").isGreaterThan(PACKETS * 4 / 5);
      return transcript.toByteArray();
    }

    private void record(long id, MemorySegment bytes) {
      transcript.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(id).array());
      transcript.writeBytes(bytes.toArray(ValueLayout.JAVA_BYTE));
    }

    @Override
    public void packet(long id, MemorySegment packet) {
      record(id, packet);
      delivered++;
    }

    @Override
    public void gap(long first, long count) {
      record(first, MemorySegment.ofArray(ByteBuffer.allocate(Long.BYTES).putLong(count).array()));
    }
  }
}
