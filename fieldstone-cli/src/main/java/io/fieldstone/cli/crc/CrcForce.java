package io.fieldstone.cli.crc;

import io.fieldstone.cli.console.ErrorLine;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.Session;
import io.fieldstone.crc.Crc;
import io.fieldstone.crc.CrcModel;
import io.fieldstone.crc.CrcValue;
import io.fieldstone.crc.FileHash;
import io.fieldstone.crc.Syndromes;
import io.fieldstone.stream.file.OpenFile;
import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs {@code crc --force}: computes bytes that give a file a chosen checksum. */
final class CrcForce {

  private static final int COPY_BYTES = 1 << 18;

  private final Session session;
  private final CrcModel model;
  private final CrcValue wanted;
  private final CrcDesignOptions options;

  /** Creates a patch for a wanted checksum. */
  CrcForce(Session session, CrcModel model, CrcValue wanted, CrcDesignOptions options) {
    this.session = session;
    this.model = model;
    this.wanted = wanted;
    this.options = options;
  }

  private record Forced(
      String algorithm,
      String file,
      String before,
      String crc,
      long offset,
      String bytes,
      long length,
      Optional<String> output) {}

  /**
   * Prints the bytes, and writes the file with them if that is asked for.
   *
   * @param output the file to write; null for none
   */
  void run(Path file, @Nullable Path output, @Nullable String method)
      throws IOException, InterruptedException, Failure {
    if (options.at == null) {
      throw session.usage("--force needs --at OFFSET");
    }
    if (options.isInPlace && output != null) {
      throw session.usage("--in-place excludes -o");
    }
    InputFiles.requireReadable(file);
    FileHash.Hashed hash = CrcFiles.hashOf(session, method, model, file);
    long offset = options.at;
    Syndromes syndromes = Syndromes.of(model);
    int patchBytes = patchBytes(syndromes);
    boolean appends = offset == hash.length();
    if (!appends && offset > hash.length() - patchBytes) {
      throw session.usage(
          "--at %d: %d bytes are replaced, and the file has %d; --at %d appends them"
              .formatted(offset, patchBytes, hash.length(), hash.length()));
    }
    byte[] place = new byte[patchBytes];
    CrcValue from = hash.checksum();
    if (appends) {
      from = Crc.of(model).combine(from, Crc.of(model).hash(place), patchBytes);
    } else {
      try (OpenFile open = OpenFile.read(file)) {
        read(open, place, offset);
      }
    }
    byte[] patch = patch(syndromes, from, place, appends ? 0 : hash.length() - offset - patchBytes);
    Path target = options.isInPlace ? file : output;
    if (target != null) {
      write(file, offset, patch, hash.length(), InputFiles.target(target));
    }
    Forced forced =
        new Forced(
            model.name(),
            file.toString(),
            hash.checksum().toString(),
            wanted.toString(),
            offset,
            HexFormat.of().formatHex(patch),
            patchBytes,
            Optional.ofNullable(target).map(Path::toString));
    if (output == null || !InputFiles.isStandardOutput(output)) {
      session.printResult(forced, () -> text(forced, patch, appends));
    }
  }

  private int patchBytes(Syndromes syndromes) {
    if (!options.isPrintable) {
      return syndromes.patchLength();
    }
    try {
      return syndromes.lettersLength();
    } catch (IllegalArgumentException e) {
      throw session.usage("--printable: " + e.getMessage());
    }
  }

  private byte[] patch(Syndromes syndromes, CrcValue from, byte[] place, long bytesAfter) {
    if (options.isPrintable) {
      return syndromes.letters(from, place, wanted, bytesAfter);
    }
    byte[] patch = syndromes.change(from, wanted, bytesAfter);
    for (int i = 0; i < patch.length; i++) {
      patch[i] ^= place[i];
    }
    return patch;
  }

  private static void read(OpenFile file, byte[] bytes, long position) throws IOException {
    MemorySegment segment = MemorySegment.ofArray(bytes);
    if (file.read(segment, position) != bytes.length) {
      throw new IOException("the file became shorter: " + file.name());
    }
  }

  /** Copies the file, with the patch in its place, to a target that appears when it is complete. */
  private static void write(Path file, long offset, byte[] patch, long length, Path target)
      throws IOException {
    try (Temporaries temporaries = new Temporaries();
        OpenFile in = OpenFile.read(file)) {
      OpenFile out = temporaries.create(target);
      copy(in, 0, offset, out);
      out.append(new ByteBuffer[] {ByteBuffer.wrap(patch)});
      copy(in, offset + patch.length, length, out);
      temporaries.commit();
    }
  }

  private static void copy(OpenFile in, long from, long to, OpenFile out) throws IOException {
    for (long at = from; at < to; ) {
      byte[] bytes = new byte[(int) Math.min(COPY_BYTES, to - at)];
      read(in, bytes, at);
      out.append(new ByteBuffer[] {ByteBuffer.wrap(bytes)});
      at += bytes.length;
    }
  }

  private String text(Forced forced, byte[] patch, boolean appends) {
    String shown =
        options.isPrintable
            ? new String(patch, StandardCharsets.US_ASCII)
            : HexFormat.ofDelimiter(" ").formatHex(patch);
    String name = ErrorLine.oneLine(forced.file());
    return "%s: %s at byte %d %s the checksum %s (now %s)\n"
            .formatted(
                name,
                shown,
                forced.offset(),
                appends ? "appended give" : "give",
                forced.crc(),
                forced.before())
        + forced.output().map(path -> ErrorLine.oneLine(path) + ": written\n").orElse("");
  }
}
