package io.fieldstone.cli.crc;

import io.fieldstone.cli.console.Converters;
import io.fieldstone.crc.CrcCatalogue;
import io.fieldstone.crc.CrcModel;
import io.fieldstone.crc.CrcNotation;
import io.fieldstone.crc.CrcValue;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that select a CRC: by name from the catalogue, or by its parameters. */
final class CrcOptions {

  private static final String DEFAULT = "CRC-32/ISO-HDLC";

  /** Lists the names and aliases of the catalogue. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return CrcCatalogue.names().iterator();
    }
  }

  @Spec(Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Option(
      names = {"-a", "--algorithm"},
      paramLabel = "ALGORITHM",
      completionCandidates = Names.class,
      description =
          "Name or alias of a CRC in the catalogue, such as crc32c or CRC-64/XZ (default: "
              + DEFAULT
              + "); may be repeated for several.")
  private List<String> algorithms = List.of();

  @Option(
      names = "--width",
      paramLabel = "BITS",
      converter = Converters.Count.class,
      description = "Width of a custom CRC in bits, 1 to 128; needs --poly.")
  private @Nullable Long width;

  @Option(names = "--poly", paramLabel = "HEX", description = "Polynomial of a custom CRC.")
  private @Nullable String poly;

  @Option(
      names = "--notation",
      paramLabel = "NOTATION",
      description =
          "Notation of the polynomial: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private CrcNotation notation = CrcNotation.NORMAL;

  @Option(names = "--init", paramLabel = "HEX", description = "Initial register (default: 0).")
  private @Nullable String init;

  @Option(
      names = "--refin",
      description = "Process the bits of each byte from the least significant.")
  private boolean refin;

  @Option(names = "--refout", description = "Reflect the register at the end.")
  private boolean refout;

  @Option(
      names = "--xorout",
      paramLabel = "HEX",
      description = "Value that is XORed to the result (default: 0).")
  private @Nullable String xorout;

  /** Returns the default, CRC-32, which is also the algorithm of SFV lists. */
  static CrcModel crc32() {
    return CrcCatalogue.model(DEFAULT);
  }

  /** Tests whether none of the options is given. */
  boolean isDefault() {
    return algorithms.isEmpty() && !isCustom();
  }

  /** Returns the notation of the polynomial on the command line. */
  CrcNotation notation() {
    return notation;
  }

  /** Returns the selected model; several, or an invalid selection, are a usage error. */
  CrcModel model() {
    List<CrcModel> models = models();
    if (models.size() > 1) {
      throw Converters.usage(spec, "several --algorithm are for the CRCs of files and messages");
    }
    return models.getFirst();
  }

  /** Returns the selected models, at least one; an invalid selection is a usage error. */
  List<CrcModel> models() {
    if (isCustom()) {
      return List.of(custom());
    }
    return algorithms.isEmpty()
        ? List.of(crc32())
        : algorithms.stream().map(this::named).distinct().toList();
  }

  /** Returns a model of the catalogue; an unknown name is a usage error with suggestions. */
  CrcModel named(String name) {
    try {
      return CrcCatalogue.model(name);
    } catch (IllegalArgumentException e) {
      throw Converters.usage(spec, message(e));
    }
  }

  /** Parses a number with the width of a model; a malformed number is a usage error. */
  CrcValue value(CrcModel model, String label, String text) {
    return value(model.width(), label, text);
  }

  private boolean isCustom() {
    return refin
        || refout
        || notation != CrcNotation.NORMAL
        || Stream.of(
                Optional.ofNullable(width),
                Optional.ofNullable(poly),
                Optional.ofNullable(init),
                Optional.ofNullable(xorout))
            .anyMatch(Optional::isPresent);
  }

  private CrcModel custom() {
    if (!algorithms.isEmpty()) {
      throw Converters.usage(spec, "--algorithm excludes the parameters of a custom CRC");
    }
    if (width == null || poly == null) {
      throw Converters.usage(spec, "a custom CRC needs --width and --poly");
    }
    int bits = Converters.requireInRange(spec, "--width", width, 1, CrcValue.MAX_WIDTH);
    CrcValue polynomial = value(bits, "--poly", poly);
    try {
      return CrcModel.of("CRC-" + bits + "/custom", notation.toNormal(polynomial))
          .withInit(value(bits, "--init", init == null ? "0" : init))
          .withReflection(refin, refout)
          .withXorout(value(bits, "--xorout", xorout == null ? "0" : xorout));
    } catch (IllegalArgumentException e) {
      throw Converters.usage(spec, "--poly: " + message(e));
    }
  }

  private CrcValue value(int bits, String label, String text) {
    try {
      return CrcValue.parse(bits, text);
    } catch (IllegalArgumentException e) {
      throw Converters.usage(spec, label + ": " + message(e));
    }
  }

  private static String message(IllegalArgumentException e) {
    return String.valueOf(e.getMessage());
  }
}
