package io.fieldstone.cli.crc;

import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.ErrorLine;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.Units;
import io.fieldstone.crc.BitError;
import io.fieldstone.crc.Crc;
import io.fieldstone.crc.CrcModel;
import io.fieldstone.crc.CrcValue;
import io.fieldstone.crc.ErrorPatterns;
import io.fieldstone.crc.FileHash;
import io.fieldstone.crc.Syndromes;
import io.fieldstone.crc.WrongBit;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Runs {@code crc --locate}: finds the wrong bits that explain the checksum of a file. */
final class CrcLocate {

  /** The maximum number of explanations that are printed. */
  private static final int MAX_ERRORS = 8;

  private final Session session;
  private final CrcModel model;
  private final CrcValue expected;

  /** Creates a search for the file with a checksum. */
  CrcLocate(Session session, CrcModel model, CrcValue expected) {
    this.session = session;
    this.model = model;
    this.expected = expected;
  }

  private record Located(String algorithm, String file, String crc, List<BitError> errors) {}

  /** Finds one flipped bit of a file of any length. */
  void flippedBit(Path file, @Nullable String method)
      throws IOException, InterruptedException, Failure {
    FileHash.Hashed hash = CrcFiles.hashOf(session, method, model, file);
    List<BitError> errors =
        Syndromes.of(model).findBitErrors(expected, hash.checksum(), hash.length(), MAX_ERRORS);
    session.printResult(
        new Located(model.name(), hash.path().toString(), hash.checksum().toString(), errors),
        () -> located(hash, errors));
    if (!hash.checksum().equals(expected) && errors.isEmpty()) {
      throw Failure.reported("no single flipped bit explains the checksum", hash.path());
    }
  }

  private String located(FileHash.Hashed hash, List<BitError> errors) {
    String name = ErrorLine.oneLine(hash.path().toString());
    if (hash.checksum().equals(expected)) {
      return name + ": checksum matches\n";
    }
    if (errors.isEmpty()) {
      return "%s: checksum %s instead of %s; no single flipped bit in %s bytes explains it\n"
          .formatted(name, hash.checksum(), expected, Units.count(hash.length()));
    }
    StringBuilder text = new StringBuilder();
    for (BitError error : errors) {
      text.append("%s: %s is flipped (XOR 0x%02x)\n".formatted(name, error, error.mask() & 0xFF));
    }
    return text.toString();
  }

  private record Explained(
      String algorithm,
      String file,
      long bits,
      String crc,
      boolean isUnique,
      List<List<WrongBit>> explanations) {}

  /** Finds wrong bits of a message that may end within a byte, and of its checksum. */
  void patterns(CrcDesignOptions options, Path file) throws IOException, Failure {
    byte[] bytes = message(options.length, file);
    long bits = options.length == null ? (long) bytes.length * Byte.SIZE : options.length;
    CrcValue actual = Crc.of(model).hashBits(MemorySegment.ofArray(bytes), bits);
    List<List<WrongBit>> found = find(options, bits, actual);
    List<List<WrongBit>> shown = found.subList(0, Math.min(found.size(), MAX_ERRORS));
    String name = ErrorLine.oneLine(file.toString());
    session.printResult(
        new Explained(
            model.name(), file.toString(), bits, actual.toString(), found.size() == 1, shown),
        () -> explained(name, actual, bits, found.size(), shown));
    if (!actual.equals(expected) && found.isEmpty()) {
      throw Failure.reported("no such error explains the checksum", file);
    }
  }

  private byte[] message(@Nullable Long bits, Path file) throws IOException, Failure {
    long size = InputFiles.requireReadable(file);
    long most = ErrorPatterns.MAX_BITS_OF_BURSTS / Byte.SIZE;
    if (bits == null && size > most) {
      throw new Failure("wrong bits are sought in at most %d bytes".formatted(most), file);
    }
    if (bits != null && (bits < 0 || bits > Math.min(size, most) * Byte.SIZE)) {
      throw session.usage(
          "--length %d is not in 0…%d, the bits of %s"
              .formatted(bits, Math.min(size, most) * Byte.SIZE, file));
    }
    if (bits == null) {
      return Files.readAllBytes(file);
    }
    try (var in = Files.newInputStream(file)) {
      return in.readNBytes((int) Math.ceilDiv(bits, Byte.SIZE));
    }
  }

  /** Returns the explanations with the fewest bits first, at least two if there are two. */
  private List<List<WrongBit>> find(CrcDesignOptions options, long bits, CrcValue actual)
      throws Failure {
    int errors =
        options.errors == null
            ? 1
            : Converters.requireInRange(session.command(), "--errors", options.errors, 1, 2);
    int burst =
        options.burst == null
            ? 1
            : Converters.requireInRange(
                session.command(), "--burst", options.burst, 1, model.width());
    try {
      ErrorPatterns patterns = ErrorPatterns.of(model, bits);
      List<List<WrongBit>> found =
          new ArrayList<>(patterns.ofBursts(expected, actual, burst, MAX_ERRORS));
      if (errors == 2) {
        for (List<WrongBit> pair : patterns.ofTwoBits(expected, actual, MAX_ERRORS)) {
          if (!found.contains(pair)) {
            found.add(pair);
          }
        }
      }
      found.sort((a, b) -> Integer.compare(a.size(), b.size()));
      return found;
    } catch (IllegalArgumentException e) {
      throw session.usage(String.valueOf(e.getMessage()));
    }
  }

  private String explained(
      String name, CrcValue actual, long bits, int count, List<List<WrongBit>> shown) {
    if (actual.equals(expected)) {
      return name + ": checksum matches\n";
    }
    if (shown.isEmpty()) {
      return "%s: checksum %s instead of %s; no such error in %s bits and the checksum explains it\n"
          .formatted(name, actual, expected, Units.count(bits));
    }
    StringBuilder text = new StringBuilder();
    for (List<WrongBit> explanation : shown) {
      text.append(
          "%s: %s\n"
              .formatted(
                  name,
                  explanation.stream().map(CrcLocate::place).collect(Collectors.joining("; "))));
    }
    text.append(
        count == 1
            ? name + ": unique\n"
            : name + ": ambiguous: any one of these explains the checksum\n");
    return text.toString();
  }

  private static String place(WrongBit bit) {
    return "%s (bit %d of the frame)".formatted(bit, bit.position());
  }
}
