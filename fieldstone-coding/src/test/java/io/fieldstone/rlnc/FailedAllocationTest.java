package io.fieldstone.rlnc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.field.Gf256;
import io.fieldstone.testing.OpenResources;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** A constructor that fails after an allocation frees it. */
class FailedAllocationTest {

  private static final Engine ENGINE = Engine.open("cpu:scalar");

  private static final GenerationShape SHAPE =
      new GenerationShape(Gf256.DEFAULT, new Code.Dense(), 4, 10);

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  @Test
  void ofARecoder() throws Exception {
    OpenResources.assertNoneLeft(ENGINE, engine -> new Recoder(engine, SHAPE, 0, 1));
  }

  @Test
  void ofADecoder() throws Exception {
    OpenResources.assertNoneLeft(ENGINE, engine -> new Decoder(engine, SHAPE, 0));
  }

  @Test
  void ofABatchDecoder() throws Exception {
    ByteMatrices destination = ByteMatrices.of(MemorySegment.ofArray(new byte[40]), 4, 10);
    OpenResources.assertNoneLeft(ENGINE, engine -> new BatchDecoder(engine, SHAPE, destination));
  }

  @Test
  void ofAnEncoderWhoseSourceCannotBeRead() throws Exception {
    MemorySegment closed;
    try (Arena arena = Arena.ofConfined()) {
      closed = arena.allocate(25);
    }
    OpenResources.assertNoneLeft(
        ENGINE,
        engine -> {
          assertThat(catchThrowable(() -> new Encoder(engine, SHAPE, 0, 1, closed).close()))
              .isInstanceOf(RuntimeException.class);
          return new Encoder(engine, SHAPE, 0, 1);
        });
  }
}
