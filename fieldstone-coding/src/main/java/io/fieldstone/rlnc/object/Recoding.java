package io.fieldstone.rlnc.object;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The open generations of an immediate relay, which it passes on before they are verified. */
final class Recoding {

  private final ObjectReceiver receiver;
  private final long seed;
  private long drawn;

  Recoding(ObjectReceiver receiver, long seed) {
    this.receiver = receiver;
    this.seed = seed;
  }

  /** Returns the blocks held of a generation; null if it is not collected now. */
  @Nullable Rows rows(int generation) {
    return receiver.collectedRows(generation);
  }

  /**
   * Writes a random combination of the blocks held: n coefficients at {@code offset}, then k bytes.
   */
  void recode(int generation, Rows rows, MemorySegment destination, long offset) {
    rows.recode(seed, generation, drawn++, destination, offset);
  }
}
