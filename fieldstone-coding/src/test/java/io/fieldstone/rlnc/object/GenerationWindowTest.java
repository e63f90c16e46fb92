package io.fieldstone.rlnc.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.testing.OpenResources;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class GenerationWindowTest {

  private static final GenerationShape SHAPE =
      new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 4, 10);

  /** Two generations, of which the last has other blocks. */
  private static final ObjectManifest MANIFEST =
      new ObjectManifest(SHAPE, SHAPE.bytes() + 7, Optional.empty(), new Sha256(1, 2, 3, 4));

  @AutoClose private final Engine scalar = Engine.open("cpu:scalar");

  private static GenerationWindow filled(Engine engine, boolean isCoded) {
    GenerationWindow window = new GenerationWindow(engine, MANIFEST, engine::allocateHost, 1 << 20);
    try {
      for (int generation = 0; generation < 2; generation++) {
        Rows rows = window.add(generation, 1).rows();
        MemorySegment block = MemorySegment.ofArray(new byte[rows.shape().blockSize()]);
        rows.addSource(0, 0, block, 0);
        if (isCoded) {
          rows.addSeeded(0, 1, generation, 9, block, 0);
        }
      }
      return window;
    } catch (RuntimeException e) {
      window.close();
      throw e;
    }
  }

  @Test
  void aFailedAllocationLeavesNothing() throws Exception {
    OpenResources.assertNoneLeft(scalar, engine -> filled(engine, true));
  }

  @Test
  void countsTheMemoryOfItsGenerations() {
    try (GenerationWindow window = filled(scalar, false)) {
      long bytes = Rows.bytes(SHAPE) + Rows.bytes(MANIFEST.shapeOf(1));
      assertThat(window.heldBytes()).isEqualTo(bytes);
      OpenGeneration last = window.get(1);
      window.remove(last);
      window.release(last.rows());
      assertThat(window.heldBytes()).isEqualTo(Rows.bytes(SHAPE));
    }
  }
}
