package io.fieldstone.net.peers;

import io.fieldstone.net.state.StateLines;
import io.fieldstone.net.trust.Fingerprint;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The senders that have sent wrong bytes, by fingerprint. The file {@code banned_peers} has one
 * line for each: {@code sha256:DIGITS TIME REASON}. A line that begins with {@code #} is a comment.
 * Removing its line allows a peer again.
 *
 * <p>Thread-safe. Each change reads the file again and replaces it atomically, while other
 * processes wait.
 */
public final class BannedPeers {

  /** The name of the file in the folder of a client's state. */
  public static final String FILE = "banned_peers";

  /** The maximum number of peers; the oldest are forgotten first. */
  static final int MAX_PEERS = 10_000;

  private static final String HEADING = "# peers that sent wrong bytes";

  private final Path file;

  /** The bans that could not be written, which hold as long as this object. */
  private final List<Ban> unwritten = new ArrayList<>();

  /** A line of the file. */
  record Ban(Fingerprint peer, String time, String reason) {
    String line() {
      return peer + " " + time + " " + reason;
    }
  }

  /**
   * Refers to the file of a folder, which need not exist.
   *
   * @param folder the folder of the client's state
   */
  public BannedPeers(Path folder) {
    this.file = folder.resolve(FILE);
  }

  /** Returns the file. */
  public Path file() {
    return file;
  }

  /**
   * Returns why a peer is banned; empty if it is not.
   *
   * @throws IOException if the file cannot be read, or a line is not valid
   */
  public synchronized Optional<String> find(Fingerprint peer) throws IOException {
    return Stream.concat(unwritten.stream(), read().stream())
        .filter(ban -> ban.peer.equals(peer))
        .map(ban ->
            "%s is banned since %s, because it %s; to allow it, remove its line in %s"
                .formatted(peer, ban.time, ban.reason, file))
        .findFirst();
  }

  /**
   * Bans a peer. Does nothing if it is banned.
   *
   * @param reason what it did, as the end of a sentence that begins with "it"; one line
   * @throws IOException if the file cannot be written; this object refuses the peer nevertheless
   */
  public synchronized void ban(Fingerprint peer, String reason, Instant now) throws IOException {
    String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
    Ban added = new Ban(peer, time, reason.replaceAll("\\s+", " "));
    try {
      boolean _ = StateLines.change(file, () -> add(added));
    } catch (IOException e) {
      unwritten.add(added);
      throw e;
    }
  }

  /** Returns false if the peer was banned before. */
  private boolean add(Ban added) throws IOException {
    List<Ban> bans = read();
    if (bans.stream().anyMatch(ban -> ban.peer.equals(added.peer))) {
      return false;
    }
    bans.add(added);
    write(bans.subList(Math.max(0, bans.size() - MAX_PEERS), bans.size()));
    return true;
  }

  private List<Ban> read() throws IOException {
    return parse(file, StateLines.read(file));
  }

  /** Parses the content of a file. */
  static List<Ban> parse(Path file, byte[] content) throws FileSystemException {
    List<Ban> bans = new ArrayList<>();
    StateLines.parse(
        file,
        content,
        3,
        words -> {
          if (words.length != 3) {
            throw new IllegalArgumentException("want sha256:DIGITS, a time and a reason");
          }
          bans.add(new Ban(Fingerprint.parse(words[0]), words[1], words[2]));
        });
    return bans;
  }

  private void write(List<Ban> bans) throws IOException {
    StringBuilder text = new StringBuilder(HEADING).append('\n');
    bans.forEach(ban -> text.append(ban.line()).append('\n'));
    StateLines.replace(file, text.toString());
  }
}
