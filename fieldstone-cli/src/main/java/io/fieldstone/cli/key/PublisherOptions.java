package io.fieldstone.cli.key;

import io.fieldstone.cli.console.Converters;
import io.fieldstone.rlnc.crypto.PublisherKey;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The option that names the publishers of which one must have signed a file. */
public final class PublisherOptions {

  @Option(
      names = "--publisher",
      paramLabel = "KEY",
      split = ",",
      description =
          "Public keys (ed25519:…) of publishers, one of which must have signed the file; see"
              + " 'fieldstone key show'.")
  private List<String> publishers = List.of();

  /** Returns the keys; a malformed one is a usage error. */
  public List<PublisherKey> keys(CommandSpec command) {
    try {
      return publishers.stream().map(PublisherKey::parse).toList();
    } catch (IllegalArgumentException e) {
      throw Converters.usage(command, "--publisher: " + e.getMessage());
    }
  }
}
