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
 * blocks"). One polluted generation at a time is fetched again from one sender alone; others wait.
 */
final class Polluters {

  private final Senders senders;
  private final Shares shares;
  private final GenerationWindow window;
  private final ReceiverListener listener;
  private final Set<Integer> convicted = new HashSet<>();

  /** The immediate relays, by all numbers that each had. Their faults prove nothing. */
  private final Map<Integer, Immediate> immediate = new HashMap<>();

  private @Nullable OpenGeneration investigated;
  private long refetched;

  /** An immediate relay, which may have left and come again. */
  private static final class Immediate {
    final Set<Integer> numbers = new HashSet<>();
    int strikes;

    /** The generations of its wrong source blocks. */
    final Set<Integer> wrongSources = new HashSet<>();
  }

  Polluters(Senders senders, Shares shares, GenerationWindow window, ReceiverListener listener) {
    this.senders = senders;
    this.shares = shares;
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
    if (added.kind == SenderKind.IMMEDIATE) {
      Immediate relay =
          before.stream()
              .map(immediate::get)
              .filter(Objects::nonNull)
              .findAny()
              .orElseGet(Immediate::new);
      relay.numbers.add(added.number);
      added.strikes = relay.strikes;
      immediate.put(added.number, relay);
    }
  }

  /** Removes a sender that has left. Its blocks stay, and others are asked for its shares. */
  void remove(SenderState removed) {
    shares.takeAll(removed);
    senders.remove(removed);
    for (OpenGeneration generation : window.open()) {
      generation.arrivedAfterCut[removed.slot] = 0;
      if (generation.immediate == removed.slot) {
        generation.immediate = OpenGeneration.NOBODY;
      }
      if (generation.solo == removed.slot) {
        leaveSolo(generation);
      }
    }
  }

  /** Fetches a generation again that another receiver found polluted, unless one is fetched. */
  void suspect(OpenGeneration generation) {
    if (generation.isCollecting()
        && generation.attempt == 0
        && generation.rows.rank() > 0
        && investigated == null) {
      shares.endMixing();
      investigate(generation);
    }
  }

  /** Removes the wrong blocks of a generation, and punishes their senders. */
  void removeWrong(OpenGeneration generation, BitSet wrongRows) {
    Set<Integer> polluters = new HashSet<>();
    wrongRows.stream().forEach(row -> polluters.add(generation.rows.sender(row)));
    purge(generation, wrongRows);
    punish(polluters, generation.generation, Conviction.Evidence.LEAF);
  }

  /** Takes a generation with a right hash, which is not open any more. */
  void accepted(OpenGeneration generation, MemorySegment source) {
    generation.rows.forEachSender(this::praise);
    Rows evidence = generation.evidence;
    if (evidence != null) {
      blame(generation.generation, evidence, source);
      window.release(evidence);
    }
    window.release(generation.rows);
    endInvestigation(generation);
  }

  private void praise(int sender) {
    SenderState state = senders.get(sender);
    if (state != null) {
      state.verified++;
      shares.endProbation(state);
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
        state.strikes = relay.strikes;
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
      if (other.state != OpenGeneration.State.VERIFYING) {
        purgeConvicted(other);
      }
    }
    listener.convicted(new Conviction(sender, generation, evidence));
  }

  /** Removes the blocks of convicted senders; returns true if there were any. */
  private boolean purgeConvicted(OpenGeneration generation) {
    BitSet rows = new BitSet();
    for (int row = 0; row < generation.rows.rank(); row++) {
      rows.set(row, convicted.contains(generation.rows.sender(row)));
    }
    return purge(generation, rows);
  }

  private boolean purge(OpenGeneration generation, BitSet rows) {
    if (generation.rows.removeRows(rows::get) == 0) {
      return false;
    }
    shares.restart(generation);
    generation.state = OpenGeneration.State.COLLECTING;
    return true;
  }

  /** Takes a generation with a wrong hash, which is collected again. */
  void rejected(OpenGeneration generation) {
    shares.endMixing();
    if (purgeConvicted(generation)) {
      return;
    }
    if (generation.rows.senderCount() == 1) {
      rejectSolo(generation);
      return;
    }
    listener.polluted(generation.generation);
    if (investigated == null && generation.evidence == null) {
      investigate(generation);
    } else {
      generation.state = OpenGeneration.State.PARKED;
    }
  }

  /** Punishes the only sender of a generation with a wrong hash. */
  private void rejectSolo(OpenGeneration generation) {
    int sender = generation.rows.sender(0);
    generation.tried.add(sender);
    refetched++;
    restart(generation);
    if (immediate.containsKey(sender) && senders.get(sender) != null) {
      listener.polluted(generation.generation);
    }
    punish(sender, generation.generation, Conviction.Evidence.GENERATION);
    leaveSolo(generation);
  }

  /** Fetches a generation again from one sender alone, and keeps its blocks as evidence. */
  private void investigate(OpenGeneration generation) {
    investigated = generation;
    refetched++;
    shares.takeAll(generation);
    generation.raise(generation.shape.blocks());
    shares.endTest(generation);
    generation.solo = OpenGeneration.NOBODY;
    generation.evidence = generation.rows;
    generation.rows = window.rows(generation.shape);
    restart(generation);
    shares.chooseSolo(generation);
  }

  private void restart(OpenGeneration generation) {
    generation.rows.clear();
    generation.attempt = (generation.attempt + 1) % Report.MAX_ATTEMPTS;
    generation.state = OpenGeneration.State.COLLECTING;
    shares.restart(generation);
  }

  /** Asks another sender, or all others, after the only sender of a generation failed or left. */
  void leaveSolo(OpenGeneration generation) {
    shares.endTest(generation);
    shares.takeAll(generation);
    generation.solo = OpenGeneration.NOBODY;
    if (generation.evidence != null) {
      if (generation.rows.rank() > 0 && generation.isCollecting()) {
        restart(generation);
      }
      shares.chooseSolo(generation);
    }
  }

  private void endInvestigation(OpenGeneration generation) {
    if (investigated != generation) {
      return;
    }
    investigated = null;
    for (OpenGeneration parked : window.open()) {
      if (parked.state == OpenGeneration.State.PARKED) {
        investigate(parked);
        return;
      }
    }
  }
}
