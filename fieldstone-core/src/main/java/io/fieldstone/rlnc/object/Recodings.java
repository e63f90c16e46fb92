package io.fieldstone.rlnc.object;

import java.lang.foreign.MemorySegment;

/** Recodes the open generations of a receiver. */
final class Recodings implements Recoding {

  private final ObjectReceiver receiver;
  private final long seed;
  private long drawn;

  Recodings(ObjectReceiver receiver, long seed) {
    this.receiver = receiver;
    this.seed = seed;
  }

  @Override
  public int rank(int generation) {
    return receiver.rank(generation);
  }

  @Override
  public void recode(int generation, MemorySegment destination, long offset) {
    receiver.recode(generation, seed, drawn++, destination, offset);
  }
}
