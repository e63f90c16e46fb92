package io.fieldstone.rlnc.object;

import java.util.List;

/**
 * Finds senders that deliver nothing while others wait for them. A silent sender is not asked for a
 * pause, which doubles with each silence (exponential back-off).
 */
final class SilenceDetector {

  /** The reports after which a sender counts as silent: two to three round trips. */
  private static final int MAX_SILENT_REPORTS = 12;

  /** The same for a relay, which may have to ask others first, who may be relays, too. */
  private static final int MAX_SILENT_REPORTS_OF_RELAY = 48;

  /** The silences after which the pause of a silent sender doubles no more. */
  private static final int MAX_PAUSE_DOUBLINGS = 6;

  private final Senders senders;
  private final List<OpenGeneration> open;

  SilenceDetector(Senders senders, List<OpenGeneration> open) {
    this.senders = senders;
    this.open = open;
  }

  /** For how long one sender has delivered nothing. Times are reports to it. */
  static final class Silence {
    private final int maxReports;

    /** Reports since an innovative block arrived, or since it was asked for nothing. */
    private int quietReports;

    /** Reports in a row for which the others waited for it. */
    private int awaitedReports;

    /** Reports since it was found to be silent, while it was asked for nothing. */
    private int pausedReports;

    /** The silences; halved after deliveries between them. */
    private int silences;

    /** The innovative blocks since {@link #silences} changed, fewer than a generation has. */
    private int delivered;

    /** The innovative blocks from all senders when the last one arrived from this. */
    private long innovativeOfAll;

    Silence(SenderKind kind) {
      maxReports = kind == SenderKind.ORIGIN ? MAX_SILENT_REPORTS : MAX_SILENT_REPORTS_OF_RELAY;
    }

    /** Returns the silences; fewer after deliveries between them. */
    int silences() {
      return silences;
    }

    /** Notes an innovative block. As many as a generation has halve the next pause. */
    void delivered(int blocks) {
      if (++delivered >= blocks) {
        delivered = 0;
        silences = Math.min(silences, MAX_PAUSE_DOUBLINGS) / 2;
      }
    }

    /** Ends a silence that has not become long, because an innovative block arrived. */
    void end(long innovative) {
      quietReports = 0;
      awaitedReports = 0;
      innovativeOfAll = innovative;
    }

    void begin() {
      awaitedReports = 0;
      silences++;
      delivered = 0;
    }

    /** Counts a report while it is paused; returns true if the pause is over. */
    private boolean endsPause() {
      if (++pausedReports > MAX_SILENT_REPORTS << Math.min(silences, MAX_PAUSE_DOUBLINGS)) {
        pausedReports = 0;
        return true;
      }
      return false;
    }

    private boolean isQuiet() {
      return quietReports > maxReports;
    }

    @Override
    public String toString() {
      return "awaited for %d reports, %d silences".formatted(awaitedReports, silences);
    }
  }

  /**
   * Counts a report to a sender.
   *
   * @param innovative the innovative blocks that have arrived from all senders
   * @return true if it is found to be silent now
   */
  boolean isFoundSilent(SenderState sender, long innovative) {
    Silence silence = sender.silence();
    if (sender.outstanding() == 0) {
      if (sender.isSilent() && silence.endsPause()) {
        sender.readmit();
      }
      silence.end(innovative);
      return false;
    }
    silence.quietReports++;
    if (!isAwaited(sender)) {
      silence.awaitedReports = 0;
      return false;
    }
    silence.awaitedReports++;
    if (silence.awaitedReports <= silence.maxReports || senders.count() < 2) {
      return false;
    }
    sender.silenced();
    return true;
  }

  /**
   * Returns true if the others have delivered their shares of a generation, or are silent, and this
   * sender has not delivered its own. A relay may have to wait until its own senders come to the
   * generations that it was asked for.
   */
  private boolean isAwaited(SenderState sender) {
    for (OpenGeneration generation : open) {
      if (generation.division().of(sender) > 0 && isOnlyOfSilent(generation, sender)) {
        return true;
      }
    }
    return false;
  }

  /** Returns true if all blocks to come of a generation are those of one sender and silent ones. */
  private boolean isOnlyOfSilent(OpenGeneration generation, SenderState sender) {
    for (SenderState other : senders) {
      if (other != sender && generation.division().of(other) > 0 && !other.silence().isQuiet()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns true if the shares of a silent sender should go to others: they deliver, or one of them
   * is asked for nothing. At the end of an object all others are, so that nothing more arrives
   * while the last blocks are those of a silent sender.
   */
  boolean canOthersDeliver(SenderState silent, long innovative) {
    if (innovative > silent.silence().innovativeOfAll) {
      return true;
    }
    for (SenderState sender : senders) {
      if (sender.outstanding() == 0 && !sender.isSilent()) {
        return true;
      }
    }
    return false;
  }
}
