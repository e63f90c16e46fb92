package io.fieldstone.rlnc.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.wire.MalformedDataException;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ObjectSenderTest {

  private static final TestObject OBJECT = TestObject.random(new Random(1), 5 * 4 * 3, 4, 3);

  @AutoClose private final Engine engine = Engine.open("cpu:scalar");
  @AutoClose private final GenerationCache cache = new GenerationCache(engine, 1000);
  private final ObjectSender sender = new ObjectSender(cache.open(OBJECT.manifest(), 1, OBJECT), 0);

  /** Makes a report that wants coded blocks of one generation; nothing has arrived. */
  private static byte[] report(int number, int generation, int deficit) {
    return new byte[] {3, 0, (byte) number, 0, 0, 0, 0, 0, (byte) generation, 0, (byte) deficit, 0};
  }

  @Test
  void aDeficitOfZeroIsMalformed() {
    assertThatThrownBy(() -> sender.onReport(report(0, 1, 0)))
        .isInstanceOf(MalformedDataException.class)
        .hasMessageContaining("generation 1 with a deficit of 0");
  }

  @Test
  void generationsThatAreOnlyAskedForAreNotKept() throws Exception {
    for (int generation = 0; generation < 4; generation++) {
      assertThat(sender.onReport(report(generation, generation, 1))).isTrue();
      assertThat(sender.keptDemands()).isEqualTo(1);
    }
    assertThat(sender.next(new byte[sender.maxPacketBytes()])).isPositive();
    assertThat(sender.onReport(report(4, 4, 1))).isTrue();
    assertThat(sender.keptDemands()).isEqualTo(2);
    assertThat(sender.onReport(report(5, 0, 1))).isTrue();
    assertThat(sender.keptDemands()).isEqualTo(2);
  }
}
