package io.fieldstone.net.session;

import io.fieldstone.net.dashboard.Incidents;
import io.fieldstone.net.peers.KnownServers;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Logs warnings of clients: at most one line a minute for each cause and address of a client. The
 * first warning is logged at once. Those of the next minute are counted, and one line gives their
 * number.
 *
 * <p>The memory is bounded: if {@value #MAX_TALLIES} causes and addresses had a warning within a
 * minute, all further ones share one line a minute. Thread-safe.
 */
public final class ClientWarnings {

  /** The maximum number of pairs of cause and address that have lines of their own. */
  static final int MAX_TALLIES = 1024;

  static final long INTERVAL_NANOS = 60_000_000_000L;

  private static final Logger LOGGER = System.getLogger(ClientWarnings.class.getName());

  /** Stands for all clients without a line of their own. */
  private static final Key OTHER_CLIENTS = new Key("other clients", "");

  /**
   * What has a line of its own.
   *
   * @param host the address of the client, without the port, which differs for each connection
   */
  private record Key(String host, String cause) {}

  /** The warnings since the last line. */
  private static final class Tally {
    final String text;
    final long sinceNanos;
    long suppressed;

    Tally(String text, long sinceNanos) {
      this.text = text;
      this.sinceNanos = sinceNanos;
    }
  }

  private final LongSupplier nanoTime;
  private final Consumer<String> log;

  /** In the order of {@link Tally#sinceNanos}. */
  private final Map<Key, Tally> tallies = new LinkedHashMap<>();

  private final Incidents incidents = new Incidents();

  /** Creates warnings that go to the log of the system. */
  public ClientWarnings() {
    this(System::nanoTime, line -> LOGGER.log(Level.WARNING, line));
  }

  /**
   * Creates warnings.
   *
   * @param nanoTime the clock
   * @param log takes lines
   */
  ClientWarnings(LongSupplier nanoTime, Consumer<String> log) {
    this.nanoTime = nanoTime;
    this.log = log;
  }

  /** Returns the warnings for the dashboard, to which others of the same process may be added. */
  public Incidents incidents() {
    return incidents;
  }

  /**
   * Warns of a client.
   *
   * @param cause the kind of problem, of which there are few; each has a line of its own
   * @param text the line, without the address
   */
  public synchronized void warn(InetSocketAddress client, String cause, String text) {
    logSuppressed();
    incidents.add(client.getHostString(), text);
    Key key = new Key(client.getHostString(), cause);
    if (!tallies.containsKey(key) && tallies.size() >= MAX_TALLIES) {
      key = OTHER_CLIENTS;
    }
    Tally tally = tallies.get(key);
    if (tally != null) {
      tally.suppressed++;
      return;
    }
    log.accept(KnownServers.name(client) + ": " + text);
    tallies.put(
        key, new Tally(key.equals(OTHER_CLIENTS) ? "warnings" : text, nanoTime.getAsLong()));
  }

  /**
   * Logs how many warnings were suppressed, of each cause and address whose last line is a minute
   * old. {@link #warn} does this too; call it now and then, in case no warning follows.
   */
  public synchronized void logSuppressed() {
    long now = nanoTime.getAsLong();
    Map<Key, Tally> continued = new LinkedHashMap<>();
    Iterator<Map.Entry<Key, Tally>> oldest = tallies.entrySet().iterator();
    while (oldest.hasNext()) {
      Map.Entry<Key, Tally> entry = oldest.next();
      Tally tally = entry.getValue();
      if (now - tally.sinceNanos < INTERVAL_NANOS) {
        break;
      }
      if (tally.suppressed > 0) {
        log.accept(
            "%s: %d more in %d s: %s"
                .formatted(
                    entry.getKey().host(),
                    tally.suppressed,
                    (now - tally.sinceNanos) / 1_000_000_000,
                    tally.text));
        continued.put(entry.getKey(), new Tally(tally.text, now));
      }
      oldest.remove();
    }
    tallies.putAll(continued);
  }
}
