package io.fieldstone.cli.crc;

import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.OutputText;
import io.fieldstone.cli.console.Session;
import io.fieldstone.crc.CrcModel;
import io.fieldstone.crc.emit.EmittedCode;
import io.fieldstone.crc.emit.EmittedLanguage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs {@code crc --emit}: writes a program or a circuit for a CRC. */
final class CrcEmit {

  private final Session session;
  private final CrcModel model;

  /** Creates a writer of code for a model. */
  CrcEmit(Session session, CrcModel model) {
    this.session = session;
    this.model = model;
  }

  private record Emitted(
      String algorithm,
      String language,
      String name,
      int bits,
      int vectors,
      Optional<String> output,
      Optional<String> code) {}

  /**
   * Writes the code.
   *
   * @param bits the bits of a step; null for eight
   * @param output the file; null for standard output
   */
  void run(EmittedLanguage language, @Nullable Long bits, @Nullable Path output)
      throws IOException {
    EmittedCode code = code(language, bits == null ? Byte.SIZE : bits);
    boolean isFile = output != null && !InputFiles.isStandardOutput(output);
    if (output != null && isFile) {
      OutputText.write(output, code.text());
    }
    int step = code.vectors() - model.width();
    session.printResult(
        new Emitted(
            model.name(),
            language.toString(),
            code.name(),
            step,
            code.vectors(),
            isFile ? Optional.of(String.valueOf(output)) : Optional.empty(),
            isFile ? Optional.empty() : Optional.of(code.text())),
        () ->
            isFile
                ? "%s: %s in %s, %d bits a step, proven on %d vectors\n"
                    .formatted(output, code.name(), language, step, code.vectors())
                : code.text());
  }

  private EmittedCode code(EmittedLanguage language, long bits) {
    try {
      return EmittedCode.of(model, language, Math.toIntExact(bits));
    } catch (ArithmeticException | IllegalArgumentException e) {
      throw session.usage("--emit: " + e.getMessage());
    }
  }
}
