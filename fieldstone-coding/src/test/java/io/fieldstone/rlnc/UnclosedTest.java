package io.fieldstone.rlnc;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.CountedArena;
import io.fieldstone.field.Gf256;
import io.fieldstone.testing.ChildJvm;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Encoders, decoders and recoders that nobody closes, in JVMs of their own. */
@Timeout(120)
class UnclosedTest {

  private static final GenerationShape SHAPE =
      new GenerationShape(Gf256.DEFAULT, new Code.Dense(), 16, 65_536);

  private static final int ROUNDS = 200;

  /** The bytes of the rounds: each has three times a MiB. */
  private static final long ALL_BYTES = 3L * ROUNDS << 20;

  @Test
  void memoryIsFreedOnceNothingRefersToThem() throws Exception {
    assertThat(ChildJvm.run(List.of("-Xmx64m"), Forgetful.class)).endsWith("done\n");
  }

  @Test
  void anEngineThatClosesFreesTheirMemory() throws Exception {
    assertThat(ChildJvm.run(Hoarder.class)).endsWith("done\n");
  }

  /** Refers to none of them, and waits until most of their memory is freed. */
  static final class Forgetful {
    public static void main(String[] arguments) {
      try (Engine engine = Engine.open("cpu")) {
        for (int i = 0; i < ROUNDS; i++) {
          List<AutoCloseable> _ = open(engine);
        }
        while (CountedArena.openBytes() > ALL_BYTES / 3) {
          LockSupport.parkNanos(1_000_000);
        }
      }
      System.out.println("done");
    }
  }

  /** Refers to all of them, but closes the engine. */
  static final class Hoarder {
    public static void main(String[] arguments) {
      List<AutoCloseable> all = new ArrayList<>();
      try (Engine engine = Engine.open("cpu")) {
        all.addAll(open(engine));
        all.addAll(open(engine));
      }
      long left = CountedArena.openBytes();
      System.out.println(left < 1 << 20 ? "done" : all.size() + " hold " + left + " bytes");
    }
  }

  private static List<AutoCloseable> open(Engine engine) {
    byte[] source = new byte[(int) SHAPE.bytes()];
    source[5] = 7;
    Encoder encoder = new Encoder(engine, SHAPE, 0, 42, source);
    Decoder decoder = new Decoder(engine, SHAPE, 0);
    Recoder recoder = new Recoder(engine, SHAPE, 0, 43);
    while (!decoder.isComplete()) {
      CodedBlock block = encoder.next();
      boolean _ = recoder.add(block);
      boolean _ = decoder.add(recoder.next());
    }
    byte[] received = new byte[source.length];
    decoder.decode(received);
    if (received[5] != 7) {
      throw new AssertionError("wrong bytes");
    }
    return List.of(encoder, decoder, recoder);
  }
}
