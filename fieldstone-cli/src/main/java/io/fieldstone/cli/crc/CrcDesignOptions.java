package io.fieldstone.cli.crc;

import io.fieldstone.cli.console.Converters;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code crc} that change a file, find errors in it, or design a CRC. */
final class CrcDesignOptions {

  /** The options of which one selects what is done. */
  static final List<String> MODES = List.of("--locate", "--force");

  @Option(
      names = "--locate",
      paramLabel = "CRC",
      description = "Print the flipped bit that explains why FILE does not have this checksum.")
  @Nullable String locate;

  @Option(
      names = "--errors",
      paramLabel = "NUMBER",
      converter = Converters.Count.class,
      description =
          "With --locate: find up to 1 or 2 wrong bits. With this option or --burst the checksum"
              + " may be wrong, too.")
  @Nullable Long errors;

  @Option(
      names = "--burst",
      paramLabel = "BITS",
      converter = Converters.Count.class,
      description = "With --locate: find wrong bits that are within BITS successive ones.")
  @Nullable Long burst;

  @Option(
      names = "--length",
      paramLabel = "BITS",
      converter = Converters.Count.class,
      description = "With --locate: the message is the first BITS bits of FILE (default: all).")
  @Nullable Long length;

  @Option(
      names = "--force",
      paramLabel = "CRC",
      description =
          "Print the bytes at --at that give FILE this checksum. FILE does not change; -o writes a"
              + " copy with them.")
  @Nullable String force;

  @Option(
      names = "--at",
      paramLabel = "OFFSET",
      converter = Converters.Size.class,
      description =
          "With --force: where the bytes begin that are replaced; at the end of FILE, bytes are"
              + " appended.")
  @Nullable Long at;

  @Option(
      names = "--printable",
      description = "With --force: use letters only, about twice as many.")
  boolean isPrintable;

  @Option(names = "--in-place", description = "With --force: replace FILE itself.")
  boolean isInPlace;

  /** Returns the names of the modes that are selected. */
  List<String> modes() {
    List<String> modes = new ArrayList<>();
    add(modes, locate != null, "--locate");
    add(modes, force != null, "--force");
    return modes;
  }

  /** Returns an option that is given without the one that it belongs to, and that; or nothing. */
  List<String> strays() {
    List<String> strays = new ArrayList<>();
    add(strays, locate == null && errors != null, "--errors needs --locate");
    add(strays, locate == null && burst != null, "--burst needs --locate");
    add(strays, locate == null && length != null, "--length needs --locate");
    add(strays, force == null && at != null, "--at needs --force");
    add(strays, force == null && isPrintable, "--printable needs --force");
    add(strays, force == null && isInPlace, "--in-place needs --force");
    return strays;
  }

  private static void add(List<String> list, boolean isSo, String text) {
    if (isSo) {
      list.add(text);
    }
  }
}
