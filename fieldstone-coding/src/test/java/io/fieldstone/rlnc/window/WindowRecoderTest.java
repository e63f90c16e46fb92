package io.fieldstone.rlnc.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Repairs of a relay that lacks some packets. */
class WindowRecoderTest {
  private static final Engine ENGINE = Engine.open("cpu");
  private static final WindowShape SHAPE = WindowShape.of(50, 16);

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  private static MemorySegment packet(long id) {
    byte[] bytes = new byte[50 - (int) (id % 3)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (id * 31 + i * 7 + 1);
    }
    return MemorySegment.ofArray(bytes);
  }

  @Test
  void aRepairOfKnownPacketsSolvesWhatAReceiverLacksOfThem() {
    MemorySegment symbol = MemorySegment.ofArray(new byte[SHAPE.symbolBytes()]);
    MemorySegment vector = MemorySegment.ofArray(new byte[SHAPE.window()]);
    List<Long> solved = new ArrayList<>();
    PacketSink sink =
        new PacketSink() {
          @Override
          public void packet(long id, MemorySegment packet) {
            assertThat(packet.mismatch(WindowRecoderTest.packet(id))).isNegative();
            solved.add(id);
          }

          @Override
          public void gap(long first, long count) {}
        };
    try (WindowRecoder recoder = WindowRecoder.open(ENGINE, SHAPE, WindowCode.GF256, 5, 0);
        WindowDecoder decoder =
            WindowDecoder.open(ENGINE, SHAPE, WindowCode.GF256, Delivery.AS_DECODED, 0)) {
      for (long id = 0; id < 12; id++) {
        if (id % 4 != 1) { // the relay lacks 1, 5, 9
          recoder.source(id, packet(id));
          if (id != 2 && id != 10) { // the receiver lacks 2, 10 besides
            decoder.source(id, packet(id), sink);
          }
        }
      }
      for (int key = 0; key < 2; key++) {
        WindowVector made = recoder.repairKnown(key, 1, 10, vector, symbol);
        for (long id = 0; id < made.coefficients().byteSize(); id++) {
          boolean isKnown = (made.first() + id) % 4 != 1;
          assertThat(made.coefficients().get(ValueLayout.JAVA_BYTE, id) != 0).isEqualTo(isKnown);
        }
        decoder.recoded(made.first(), made.coefficients(), symbol, sink);
      }
      assertThat(solved).contains(2L, 10L).doesNotContain(1L, 5L, 9L).doesNotHaveDuplicates();
      assertThatThrownBy(() -> recoder.repairKnown(0, 9, 1, vector, symbol))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("no packet of 9…9 is known");
      assertThatThrownBy(() -> recoder.repairKnown(0, 9, 4, vector, symbol))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("packets 9…12");
    }
  }
}
