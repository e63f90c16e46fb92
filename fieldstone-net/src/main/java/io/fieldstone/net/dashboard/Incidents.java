package io.fieldstone.net.dashboard;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * The peers that were banned or refused lately, and why. Keeps the last {@value #MAX_INCIDENTS};
 * what happens again is counted. Thread-safe.
 */
public final class Incidents {

  /** The maximum number that is kept. */
  static final int MAX_INCIDENTS = 50;

  private static final int MAX_CHARACTERS = 500;

  private record Key(String peer, String reason) {}

  /**
   * An event of one peer, such as a ban, with its number of repetitions.
   *
   * @param peer its address
   * @param reason what was done and why
   * @param time when it happened last, in UTC
   * @param count how often
   */
  public record Incident(String peer, String reason, String time, long count) {}

  /** The latest last. */
  private final SequencedMap<Key, Incident> latest = new LinkedHashMap<>();

  /** Adds what happened to a peer. */
  public synchronized void add(String peer, String reason) {
    Key key = new Key(peer, reason.substring(0, Math.min(MAX_CHARACTERS, reason.length())));
    Incident before = latest.remove(key);
    String time = Instant.ofEpochSecond(Instant.now().getEpochSecond()).toString();
    latest.put(key, new Incident(peer, key.reason, time, before == null ? 1 : before.count() + 1));
    if (latest.size() > MAX_INCIDENTS) {
      latest.remove(latest.keySet().iterator().next());
    }
  }

  /** Returns what happened, the latest first. */
  public synchronized List<Incident> latestFirst() {
    return List.copyOf(latest.sequencedValues().reversed());
  }
}
