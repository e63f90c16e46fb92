package io.fieldstone.rlnc.object;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the senders of wrong blocks, and removes them with their blocks (docs/objects.md, "Wrong
 * blocks"). One polluted generation at a time is in quarantine: it is fetched again from one sender
 * alone, and its blocks are kept as evidence. Others wait.
 */
final class Polluters {

  private final Senders senders;
  private final Scheduler scheduler;
  private final GenerationWindow window;
  private final ReceiverListener listener;
  private final Set<Integer> convicted = new HashSet<>();

  /** The immediate relays, by all numbers that each had. Their faults prove nothing. */
  private final Map<Integer, Immediate> immediate = new HashMap<>();

  private @Nullable OpenGeneration quarantined;
  private long refetched;

  /** An immediate relay, which may have left and come again. */
  private static final class Immediate {
    final Set<Integer> numbers = new HashSet<>();
    int strikes;

    /** The generations of its wrong source blocks. */
    final Set<Integer> wrongSources = new HashSet<>();
  }

  Polluters(
      Senders senders, Scheduler scheduler, GenerationWindow window, ReceiverListener listener) {
    this.senders = senders;
    this.scheduler = scheduler;
    this.window = window;
    this.listener = listener;
  }

  /** Returns the generations that were fetched again from their first block on. */
  long refetched() {
    return refetched;
  }

  /**
   * Notes a sender that was added.
   *
   * @param before the numbers that it had before, whose strikes stay
   */
  void add(SenderState added, Collection<Integer> before) {
    if (added.isImmediate()) {
      Immediate relay =
          before.stream()
              .map(immediate::get)
              .filter(Objects::nonNull)
              .findAny()
              .orElseGet(Immediate::new);
      relay.numbers.add(added.number());
      added.setStrikes(relay.strikes);
      immediate.put(added.number(), relay);
    }
  }

  /** Removes a sender that has left. Its blocks stay, and others are asked for its shares. */
  void remove(SenderState removed) {
    scheduler.takeAll(removed);
    senders.remove(removed);
    for (OpenGeneration generation : window.open()) {
      int _ = generation.division().takeAfterCut(removed);
      if (generation.relay() == removed) {
        generation.setRelay(null);
      }
      if (generation.exclusive() == removed) {
        abandon(generation);
      }
    }
  }

  /** Fetches a generation again that another receiver found polluted, unless one is fetched. */
  void suspect(OpenGeneration generation) {
    if (generation.isCollecting()
        && generation.attempt() == 0
        && generation.rows().rank() > 0
        && quarantined == null) {
      scheduler.separateRelays();
      beginQuarantine(generation);
    }
  }

  /** Removes the wrong blocks of a generation, and punishes their senders. */
  void removeWrong(OpenGeneration generation, BitSet wrongRows) {
    Set<Integer> polluters = new HashSet<>();
    wrongRows.stream().forEach(row -> polluters.add(generation.rows().sender(row)));
    purge(generation, wrongRows);
    punish(polluters, generation.number(), Conviction.Evidence.LEAF);
  }

  /** Takes a generation with a right hash, which is not open any more. */
  void accepted(OpenGeneration generation, MemorySegment source) {
    generation.rows().forEachSender(this::praise);
    Rows evidence = generation.evidence();
    if (evidence != null) {
      blame(generation.number(), evidence, source);
      window.release(evidence);
    }
    window.release(generation.rows());
    endQuarantine(generation);
  }

  private void praise(int sender) {
    SenderState state = senders.get(sender);
    if (state != null) {
      scheduler.praise(state);
    }
  }

  /** Convicts every sender of a block that differs from the verified generation. */
  private void blame(int generation, Rows evidence, MemorySegment source) {
    Set<Integer> polluters = new HashSet<>();
    evidence.forEachWrongRow(source, row -> polluters.add(evidence.sender(row)));
    punish(polluters, generation, Conviction.Evidence.BLOCK);
  }

  /** Punishes senders, an immediate relay once although it had several numbers. */
  private void punish(Set<Integer> polluters, int generation, Conviction.Evidence evidence) {
    Set<Immediate> struck = new HashSet<>();
    for (int polluter : polluters) {
      Immediate relay = immediate.get(polluter);
      if (relay == null || struck.add(relay)) {
        punish(polluter, generation, evidence);
      }
    }
  }

  /** Convicts a sender, or gives an immediate relay a strike. */
  void punish(int sender, int generation, Conviction.Evidence evidence) {
    Immediate relay = immediate.get(sender);
    if (relay == null) {
      convict(sender, Set.of(sender), generation, evidence);
      return;
    }
    if (evidence == Conviction.Evidence.LEAF && !relay.wrongSources.add(generation)) {
      return; // a strike is for a generation, and not for each of its source blocks
    }
    relay.strikes++;
    for (int number : relay.numbers) {
      SenderState state = senders.get(number);
      if (state != null) {
        state.setStrikes(relay.strikes);
      }
    }
    if (relay.strikes >= ObjectReceiver.MAX_STRIKES) {
      convict(sender, relay.numbers, generation, Conviction.Evidence.STRIKES);
    }
  }

  /** Convicts a sender under all its numbers, unless it is convicted. */
  private void convict(
      int sender, Set<Integer> numbers, int generation, Conviction.Evidence evidence) {
    if (!convicted.addAll(numbers)) {
      return;
    }
    for (int number : numbers) {
      SenderState state = senders.get(number);
      if (state != null) {
        remove(state);
      }
    }
    for (OpenGeneration other : window.open()) {
      if (!other.isVerifying()) {
        purgeConvicted(other);
      }
    }
    listener.convicted(new Conviction(sender, generation, evidence));
  }

  /** Removes the blocks of convicted senders; returns true if there were any. */
  private boolean purgeConvicted(OpenGeneration generation) {
    BitSet rows = new BitSet();
    for (int row = 0; row < generation.rows().rank(); row++) {
      rows.set(row, convicted.contains(generation.rows().sender(row)));
    }
    return purge(generation, rows);
  }

  private boolean purge(OpenGeneration generation, BitSet rows) {
    if (generation.rows().removeRows(rows::get) == 0) {
      return false;
    }
    scheduler.restart(generation);
    generation.collect();
    return true;
  }

  /** Takes a generation with a wrong hash, which is collected again. */
  void rejected(OpenGeneration generation) {
    scheduler.separateRelays();
    if (purgeConvicted(generation)) {
      return;
    }
    if (generation.rows().senderCount() == 1) {
      rejectExclusive(generation);
      return;
    }
    listener.polluted(generation.number());
    if (quarantined == null && !generation.isQuarantined()) {
      beginQuarantine(generation);
    } else {
      generation.suspend();
    }
  }

  /** Punishes the only sender of a generation with a wrong hash. */
  private void rejectExclusive(OpenGeneration generation) {
    int sender = generation.rows().sender(0);
    generation.addTried(sender);
    refetched++;
    restart(generation);
    if (immediate.containsKey(sender) && senders.get(sender) != null) {
      listener.polluted(generation.number());
    }
    punish(sender, generation.number(), Conviction.Evidence.GENERATION);
    abandon(generation);
  }

  /** Fetches a generation again from one sender alone, and keeps its blocks as evidence. */
  private void beginQuarantine(OpenGeneration generation) {
    quarantined = generation;
    refetched++;
    scheduler.takeAll(generation);
    generation.raise(generation.blocks());
    scheduler.endProbe(generation);
    generation.mixSenders();
    generation.beginQuarantine(window.rows(generation.shape()));
    restart(generation);
    scheduler.assignToMostTrusted(generation);
  }

  private void restart(OpenGeneration generation) {
    generation.restart();
    scheduler.restart(generation);
  }

  /** Asks another sender, or all others, after the only sender of a generation failed or left. */
  void abandon(OpenGeneration generation) {
    scheduler.endProbe(generation);
    scheduler.takeAll(generation);
    generation.mixSenders();
    if (generation.isQuarantined()) {
      if (generation.rows().rank() > 0 && generation.isCollecting()) {
        restart(generation);
      }
      scheduler.assignToMostTrusted(generation);
    }
  }

  private void endQuarantine(OpenGeneration generation) {
    if (quarantined != generation) {
      return;
    }
    quarantined = null;
    for (OpenGeneration suspended : window.open()) {
      if (suspended.isSuspended()) {
        beginQuarantine(suspended);
        return;
      }
    }
  }
}
