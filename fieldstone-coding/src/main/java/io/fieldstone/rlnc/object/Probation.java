package io.fieldstone.rlnc.object;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The policy for senders of which no generation has been verified: each serves generations alone,
 * as probes, until one of them is verified.
 */
final class Probation {

  private final Senders senders;
  private final List<OpenGeneration> open;

  Probation(Senders senders, List<OpenGeneration> open) {
    this.senders = senders;
    this.open = open;
  }

  /** Makes a generation, of which nothing is assigned, a probe of a sender. */
  void begin(OpenGeneration generation, SenderState probed) {
    generation.raise(generation.blocks());
    probed.beginProbe();
    generation.setProbe(true);
    generation.assignTo(probed);
  }

  /** Ends a probe, whether it passed or not. */
  void end(OpenGeneration generation) {
    SenderState probed = generation.exclusive();
    if (generation.isProbe() && probed != null) {
      probed.endProbe();
    }
    generation.setProbe(false);
  }

  /** Ends the probes of a sender that is trusted now, so that others may help with them. */
  void pass(SenderState passed) {
    for (OpenGeneration generation : open) {
      if (generation.isProbe() && generation.exclusive() == passed) {
        end(generation);
        generation.mixSenders();
      }
    }
  }

  /**
   * Returns the next sender to probe with a generation, or null.
   *
   * @param isSilentProbed whether one that was silent in its probe comes again
   */
  @Nullable SenderState next(OpenGeneration generation, boolean isSilentProbed) {
    SenderState only = senders.only(generation.number());
    SenderState next = null;
    for (SenderState sender : senders) {
      if (sender.isOnProbation()
          && (sender.probes() == 0 || sender == only)
          && (!sender.isSilent() || isSilentProbed)
          && sender.has(generation.number())
          && (next == null || sender.silence().silences() < next.silence().silences())) {
        next = sender;
      }
    }
    return next;
  }

  /**
   * Returns the last generation that can become a probe of a sender, or null: nothing of it has
   * arrived, and nothing can be on its way.
   */
  @Nullable OpenGeneration movable(SenderState to) {
    for (int i = open.size() - 1; i >= 0; i--) {
      OpenGeneration generation = open.get(i);
      if (generation.isCollecting()
          && !generation.isQuarantined()
          && generation.rows().rank() == 0
          && to.has(generation.number())
          && canGiveAway(generation)) {
        return generation;
      }
    }
    return null;
  }

  /** Returns true if the sender that has most of a generation to deliver has enough before it. */
  private boolean canGiveAway(OpenGeneration generation) {
    SenderState probed = generation.isProbe() ? generation.exclusive() : null;
    if (probed != null) {
      return probed.probes() > 1;
    }
    SenderState from = senders.at(generation.division().largestSlot());
    return from != null
        && generation.exclusive() == null
        && from.outstanding() - generation.missing()
            >= Scheduler.REPORTS_AHEAD * from.deliveredLately();
  }
}
