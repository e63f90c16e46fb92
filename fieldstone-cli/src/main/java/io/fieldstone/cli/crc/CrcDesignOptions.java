package io.fieldstone.cli.crc;

import io.fieldstone.cli.console.Converters;
import io.fieldstone.crc.emit.EmittedLanguage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code crc} that change a file, find errors in it, or design a CRC. */
final class CrcDesignOptions {

  /** The options of which one selects what is done. */
  static final List<String> MODES = List.of("--locate", "--force", "--best", "--emit");

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
      description =
          "The length of a message without its checksum. With --locate: of the message at the begin"
              + " of FILE (default: all). With --analyse: also print the exact numbers of"
              + " undetected errors, and their probability. With --best: where the distance is"
              + " compared.")
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

  @Option(
      names = "--best",
      paramLabel = "WIDTH",
      converter = Converters.Count.class,
      description =
          "Search all polynomials of this width, 3 to 40, for those with the greatest Hamming"
              + " distance at --length.")
  @Nullable Long best;

  @Option(
      names = "--hd",
      paramLabel = "DISTANCE",
      converter = Converters.Count.class,
      description = "With --best: list all polynomials that have this Hamming distance or more.")
  @Nullable Long distance;

  @Option(names = "--plan", description = "With --best: only print how long the search takes.")
  boolean isPlan;

  @Option(
      names = "--resume",
      paramLabel = "FILE",
      description =
          "With --best: save checkpoints in FILE and continue from it if it exists. FILE is deleted"
              + " when the result is stored.")
  @Nullable Path resume;

  @Option(
      names = "--emit",
      paramLabel = "LANGUAGE",
      description =
          "Print code that computes the CRC, with its proof: c, java, rust, verilog or vhdl.")
  @Nullable EmittedLanguage emit;

  @Option(
      names = "--bits",
      paramLabel = "N",
      converter = Converters.Count.class,
      description =
          "With --emit: the bits of the message in a step (default: 8), a power of two up to 64, in"
              + " circuits any number up to 1024.")
  @Nullable Long bits;

  /** Returns the names of the modes that are selected. */
  List<String> modes() {
    List<String> modes = new ArrayList<>();
    add(modes, locate != null, "--locate");
    add(modes, force != null, "--force");
    add(modes, best != null, "--best");
    add(modes, emit != null, "--emit");
    return modes;
  }

  /**
   * Returns an option that is given without the one that it belongs to, and that; or nothing.
   *
   * @param isAnalyse whether {@code --analyse} is given, which is no mode of these
   */
  List<String> strays(boolean isAnalyse) {
    List<String> strays = new ArrayList<>();
    add(strays, locate == null && errors != null, "--errors needs --locate");
    add(strays, locate == null && burst != null, "--burst needs --locate");
    add(
        strays,
        locate == null && best == null && !isAnalyse && length != null,
        "--length needs --locate, --analyse or --best");
    add(strays, emit == null && bits != null, "--bits needs --emit");
    add(strays, best == null && distance != null, "--hd needs --best");
    add(strays, best == null && isPlan, "--plan needs --best");
    add(strays, best == null && resume != null, "--resume needs --best");
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
