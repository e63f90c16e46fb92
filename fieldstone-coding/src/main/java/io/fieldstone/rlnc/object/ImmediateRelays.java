package io.fieldstone.rlnc.object;

/**
 * The policy for immediate relays, which pass on blocks that they have not verified. At first they
 * are mixed. Once a generation has had a wrong hash, each generation takes blocks of one of them,
 * so that its polluters are few.
 */
sealed interface ImmediateRelays {

  /** Returns true if blocks of a relay are taken; may choose it for the generation. */
  boolean accepts(OpenGeneration generation, SenderState relay);

  /** Returns true if a relay that has a generation may be asked for blocks of it. */
  boolean isCandidate(OpenGeneration generation, SenderState relay);

  /** Returns true if blocks of a generation may be moved to a relay that has it. */
  boolean canTakeOver(OpenGeneration generation, SenderState relay);

  /** Prepares to divide the unassigned blocks of a generation. */
  void prepare(OpenGeneration generation);

  /** Notes that blocks of a generation were moved to a relay. */
  void tookOver(OpenGeneration generation, SenderState relay);

  /** Returns the speed of a relay, in the measure of {@link Speeds}. */
  double speed(SenderState relay);

  /** Mixes all immediate relays, in equal parts by speed. */
  record Mixed(Senders senders, Speeds speeds) implements ImmediateRelays {

    @Override
    public boolean accepts(OpenGeneration generation, SenderState relay) {
      return true;
    }

    @Override
    public boolean isCandidate(OpenGeneration generation, SenderState relay) {
      return true;
    }

    @Override
    public boolean canTakeOver(OpenGeneration generation, SenderState relay) {
      return true;
    }

    /**
     * Gives immediate relays, and others beside them, equal parts of each generation by speed. What
     * a receiver takes from one of them should be what its other receivers take, and no more: then
     * its links carry as many generations as possible.
     */
    @Override
    public void prepare(OpenGeneration generation) {
      double sum = 0;
      boolean hasRelay = false;
      for (SenderState sender : senders) {
        if (isAsked(generation, sender)) {
          sum += speedOf(sender);
          hasRelay |= sender.isImmediate();
        }
      }
      if (!hasRelay) {
        return;
      }
      int blocks = generation.division().unassigned();
      for (SenderState sender : senders) {
        if (isAsked(generation, sender)) {
          generation.division().give(sender, (int) (blocks * speedOf(sender) / sum));
        }
      }
    }

    private static boolean isAsked(OpenGeneration generation, SenderState sender) {
      return !sender.isSilent() && !sender.isOnProbation() && sender.has(generation.number());
    }

    private double speedOf(SenderState sender) {
      return sender.isImmediate() ? speed(sender) : speeds.of(sender);
    }

    @Override
    public void tookOver(OpenGeneration generation, SenderState relay) {}

    /**
     * {@inheritDoc} It is taken for as fast as the mean: it sends no more than it was asked for, so
     * its speed does not show before it is asked for more.
     */
    @Override
    public double speed(SenderState relay) {
      return Math.max(speeds.of(relay), speeds.mean());
    }
  }

  /** Takes blocks of each generation from one immediate relay only. */
  record Separate(Senders senders, Speeds speeds) implements ImmediateRelays {

    @Override
    public boolean accepts(OpenGeneration generation, SenderState relay) {
      if (generation.relay() == null) {
        generation.setRelay(relay);
      }
      return generation.relay() == relay;
    }

    @Override
    public boolean isCandidate(OpenGeneration generation, SenderState relay) {
      return generation.relay() == relay;
    }

    @Override
    public boolean canTakeOver(OpenGeneration generation, SenderState relay) {
      return generation.relay() == null || generation.relay() == relay;
    }

    /** Chooses the relay with the fewest outstanding blocks. */
    @Override
    public void prepare(OpenGeneration generation) {
      if (generation.relay() != null) {
        return;
      }
      SenderState least = null;
      for (SenderState sender : senders) {
        if (sender.isImmediate()
            && !sender.isOnProbation()
            && sender.has(generation.number())
            && (least == null || sender.outstanding() < least.outstanding())) {
          least = sender;
        }
      }
      if (least != null) {
        generation.setRelay(least);
      }
    }

    @Override
    public void tookOver(OpenGeneration generation, SenderState relay) {
      generation.setRelay(relay);
    }

    @Override
    public double speed(SenderState relay) {
      return speeds.of(relay);
    }
  }
}
