package io.fieldstone.net.peers;

import io.fieldstone.net.state.StateLines;
import io.fieldstone.rlnc.crypto.PublisherKey;
import io.fieldstone.rlnc.crypto.PublisherRecord;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The times of the newest records of publishers that were used, so that a server cannot hand out an
 * older one. The file {@code seen_records} has one line for each publisher and name: {@code
 * ed25519:DIGITS TIME "NAME"}. A line that begins with {@code #} is a comment. Removing its line
 * allows an older record again.
 *
 * <p>Thread-safe. Each change reads the file again and replaces it atomically, while other
 * processes wait.
 */
public final class SeenRecords {

  /** The name of the file in the folder of a client's state. */
  public static final String FILE = "seen_records";

  /** The maximum number of lines; those changed least recently are forgotten first. */
  static final int MAX_LINES = 10_000;

  private static final String HEADING = "# newest records of publishers that were used\n";

  private final Path file;

  /** The publisher and the name of a line. */
  record Subject(PublisherKey publisher, String name) {}

  /**
   * Refers to the file of a folder, which need not exist.
   *
   * @param folder the folder of the client's state
   */
  public SeenRecords(Path folder) {
    this.file = folder.resolve(FILE);
  }

  /**
   * Remembers a record that was verified, unless a newer one is known.
   *
   * @return why the record must not be used: a newer one of the publisher and name is known; empty
   *     if there is none
   * @throws IOException if the file cannot be read or written, or a line is not valid
   */
  public Optional<String> check(PublisherRecord record) throws IOException {
    return record.seconds() == PublisherRecord.NO_TIME
        ? compare(record) // nothing is written
        : StateLines.change(file, () -> compare(record));
  }

  private Optional<String> compare(PublisherRecord record) throws IOException {
    Map<Subject, Instant> seen = read();
    Subject subject = new Subject(record.publisher(), record.name());
    Instant before = seen.get(subject);
    if (before != null && before.getEpochSecond() > record.seconds()) {
      return Optional.of(
          ("the record of %s by %s is older than one that was used: it has %s, and the newer one"
                  + " %s; to use the older one, remove the line of the newer one in %s")
              .formatted(record.name(), record.publisher(), record.timeText(), before, file));
    }
    if (record.seconds() > (before == null ? PublisherRecord.NO_TIME : before.getEpochSecond())) {
      seen.remove(subject);
      seen.put(subject, Instant.ofEpochSecond(record.seconds()));
      write(seen);
    }
    return Optional.empty();
  }

  private Map<Subject, Instant> read() throws IOException {
    return parse(file, StateLines.read(file));
  }

  /** Parses the content of a file. */
  static Map<Subject, Instant> parse(Path file, byte[] content) throws FileSystemException {
    Map<Subject, Instant> seen = new LinkedHashMap<>();
    StateLines.parse(
        file,
        content,
        3,
        words -> {
          String quoted = words.length == 3 ? words[2] : "";
          if (quoted.length() < 3 || !quoted.startsWith("\"") || !quoted.endsWith("\"")) {
            throw new IllegalArgumentException("want ed25519:DIGITS, a time and a \"NAME\"");
          }
          String name = quoted.substring(1, quoted.length() - 1);
          try {
            seen.put(new Subject(PublisherKey.parse(words[0]), name), Instant.parse(words[1]));
          } catch (DateTimeException e) {
            throw new IllegalArgumentException("'%s' is not a time".formatted(words[1]), e);
          }
        });
    return seen;
  }

  private void write(Map<Subject, Instant> seen) throws IOException {
    StringBuilder text = new StringBuilder(HEADING);
    seen.entrySet().stream()
        .skip(Math.max(0, seen.size() - MAX_LINES))
        .forEach(each ->
            text.append(
                "%s %s \"%s\"\n"
                    .formatted(each.getKey().publisher(), each.getValue(), each.getKey().name())));
    StateLines.replace(file, text.toString());
  }
}
