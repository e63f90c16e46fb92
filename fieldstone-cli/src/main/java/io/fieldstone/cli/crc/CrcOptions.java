package io.fieldstone.cli.crc;

import io.fieldstone.cli.console.Converters;
import io.fieldstone.crc.CrcCatalogue;
import io.fieldstone.crc.CrcModel;
import io.fieldstone.crc.CrcNotation;
import io.fieldstone.crc.CrcValue;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that say which CRC is meant: one of the catalogue, or one by its parameters. */
final class CrcOptions {

  private static final String DEFAULT = "CRC-32/ISO-HDLC";

  @Spec(Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Option(
      names = {"-a", "--algorithm"},
      paramLabel = "NAME",
      description = "A CRC of the catalogue, by name or alias; default: " + DEFAULT + ".")
  private @Nullable String algorithm;

  @Option(
      names = "--width",
      paramLabel = "BITS",
      converter = Converters.Count.class,
      description = "A CRC by its parameters: its width, 1 to 128, …")
  private @Nullable Long width;

  @Option(names = "--poly", paramLabel = "HEX", description = "… its polynomial, …")
  private @Nullable String poly;

  @Option(
      names = "--notation",
      paramLabel = "HOW",
      description =
          "… how that is written: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}), …")
  private CrcNotation notation = CrcNotation.NORMAL;

  @Option(names = "--init", paramLabel = "HEX", description = "… its first register, default 0, …")
  private @Nullable String init;

  @Option(
      names = "--refin",
      description = "… whether bytes are read least significant bit first, …")
  private boolean refin;

  @Option(names = "--refout", description = "… whether the register is reflected at the end, …")
  private boolean refout;

  @Option(
      names = "--xorout",
      paramLabel = "HEX",
      description = "… and what is added to it then, default 0.")
  private @Nullable String xorout;

  /** Whether nothing was said, so that a list of checksums may say it. */
  boolean isDefault() {
    return algorithm == null && !isCustom();
  }

  /** The model that is meant; a usage error if there is none. */
  CrcModel model() {
    return isCustom() ? custom() : named(algorithm == null ? DEFAULT : algorithm);
  }

  /** A model of the catalogue; a usage error that suggests another name if there is none. */
  CrcModel named(String name) {
    try {
      return CrcCatalogue.model(name);
    } catch (IllegalArgumentException e) {
      throw Converters.usage(spec, message(e));
    }
  }

  /** A number as wide as a model; a usage error if it is none. */
  CrcValue value(CrcModel model, String what, String text) {
    return value(model.width(), what, text);
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
    if (algorithm != null) {
      throw Converters.usage(
          spec, "--algorithm and parameters: one of the two says which CRC is meant");
    }
    if (width == null || poly == null) {
      throw Converters.usage(spec, "a CRC by its parameters needs --width and --poly");
    }
    int bits = Converters.requireInRange(spec, "--width", width, 1, CrcValue.MAX_WIDTH);
    CrcValue written = value(bits, "--poly", poly);
    try {
      return CrcModel.of("CRC-" + bits + "/custom", notation.toNormal(written))
          .withInit(value(bits, "--init", init == null ? "0" : init))
          .withReflection(refin, refout)
          .withXorout(value(bits, "--xorout", xorout == null ? "0" : xorout));
    } catch (IllegalArgumentException e) {
      throw Converters.usage(spec, "--poly: " + message(e));
    }
  }

  private CrcValue value(int bits, String what, String text) {
    try {
      return CrcValue.parse(bits, text);
    } catch (IllegalArgumentException e) {
      throw Converters.usage(spec, what + ": " + message(e));
    }
  }

  private static String message(IllegalArgumentException e) {
    return String.valueOf(e.getMessage());
  }
}
