package io.fieldstone.net.peers;

import io.fieldstone.net.state.StateLines;
import io.fieldstone.net.trust.Fingerprint;
import io.fieldstone.stream.file.FileErrors;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The servers that were trusted on first use, by address, as SSH keeps known hosts. The file {@code
 * known_servers} has one line for each: {@code HOST:PORT sha256:DIGITS}. A line that begins with
 * {@code #} is a comment.
 *
 * <p>Thread-safe. Each change reads the file again and replaces it atomically, while other
 * processes wait.
 */
public final class KnownServers {

  /** The name of the file in the folder of a client's state. */
  public static final String FILE = "known_servers";

  private static final String HEADING = "# servers that were trusted on first use\n";

  private final Path file;

  /**
   * Refers to the file of a folder, which need not exist.
   *
   * @param folder the folder of the client's state
   */
  public KnownServers(Path folder) {
    this.file = folder.resolve(FILE);
  }

  /** Returns the file. */
  public Path file() {
    return file;
  }

  /**
   * Returns the fingerprint that an address had when it was first used.
   *
   * @throws IOException if the file cannot be read, or a line is not valid
   */
  public Optional<Fingerprint> find(String server) throws IOException {
    return Optional.ofNullable(read().get(server));
  }

  /**
   * Remembers the fingerprint of an address.
   *
   * @throws IOException if the file cannot be written, or has another fingerprint of the address
   */
  public void remember(String server, Fingerprint fingerprint) throws IOException {
    Fingerprint before =
        StateLines.change(
            file,
            () -> {
              Map<String, Fingerprint> known = read();
              if (!known.containsKey(server)) {
                append(server, fingerprint);
              }
              return known.getOrDefault(server, fingerprint);
            });
    if (!before.equals(fingerprint)) {
      throw new IOException(changed(before, fingerprint));
    }
  }

  /** Returns the message for a fingerprint that is not the remembered one. */
  public String changed(Fingerprint before, Fingerprint now) {
    return ("its fingerprint has changed from %s to %s; if the server has a new identity, remove"
            + " its line in %s")
        .formatted(before, now, file);
  }

  /** Returns the name of an address in the file: {@code HOST:PORT}, an IPv6 host in brackets. */
  public static String name(InetSocketAddress address) {
    String host = address.getHostString();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  private Map<String, Fingerprint> read() throws IOException {
    return parse(file, StateLines.read(file));
  }

  /** Parses the content of a file. */
  static Map<String, Fingerprint> parse(Path file, byte[] content) throws FileSystemException {
    Map<String, Fingerprint> known = new LinkedHashMap<>();
    StateLines.parse(
        file,
        content,
        Integer.MAX_VALUE,
        words -> {
          if (words.length != 2) {
            throw new IllegalArgumentException("want HOST:PORT and sha256:DIGITS");
          }
          known.put(words[0], Fingerprint.parse(words[1]));
        });
    return known;
  }

  private void append(String server, Fingerprint fingerprint) throws IOException {
    String before =
        Files.exists(file) ? FileErrors.naming(file, () -> Files.readString(file)) : HEADING;
    String gap = before.isEmpty() || before.endsWith("\n") ? "" : "\n";
    StateLines.replace(file, before + gap + server + " " + fingerprint + "\n");
  }
}
