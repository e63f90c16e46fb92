package io.fieldstone.net.fetch;

import io.fieldstone.rlnc.wire.Sha256;
import java.util.List;

/**
 * A file that servers have.
 *
 * @param name its name, as it is fetched
 * @param length the bytes that are coded: those of the file, or of its ciphertext
 * @param id the identity of the object
 * @param servers the addresses of the servers and relays that have it, as in the settings
 */
public record ListedObject(String name, long length, Sha256 id, List<String> servers) {

  /** Copies the servers. */
  public ListedObject {
    servers = List.copyOf(servers);
  }
}
