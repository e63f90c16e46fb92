package io.fieldstone.cli.key;

import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.Session;
import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.rlnc.crypto.SigningKey;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.stream.file.FileErrors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Set;

/** Reads key files. Messages name the file, and never have a part of a secret. */
public final class KeyFiles {

  /** The maximum bytes that are read; a key has fewer. */
  private static final int MAX_BYTES = 4096;

  private static final Set<PosixFilePermission> OTHERS =
      Set.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);

  private KeyFiles() {}

  /**
   * Reads an encryption key.
   *
   * @throws Failure if the file has no encryption key
   */
  public static MasterKey masterKey(Session session, Path file) throws IOException, Failure {
    return masterKey(file, text(session, file));
  }

  /** Reads the encryption key of an option, if it is given; as the other method. */
  public static Optional<MasterKey> masterKey(Session session, Optional<Path> file)
      throws IOException, Failure {
    return file.isEmpty() ? Optional.empty() : Optional.of(masterKey(session, file.get()));
  }

  static MasterKey masterKey(Path file, String text) throws Failure {
    try {
      return MasterKey.parse(text);
    } catch (MalformedDataException e) {
      throw new Failure(e.problem(), file, e);
    }
  }

  /**
   * Reads a signing key.
   *
   * @throws Failure if the file has no signing key
   */
  public static SigningKey signingKey(Session session, Path file) throws IOException, Failure {
    return signingKey(file, text(session, file));
  }

  static SigningKey signingKey(Path file, String text) throws Failure {
    try {
      return SigningKey.parse(text);
    } catch (MalformedDataException e) {
      throw new Failure(e.problem(), file, e);
    }
  }

  /** Returns the text of a key file; warns if others may read it. */
  static String text(Session session, Path file) throws IOException, Failure {
    long length = InputFiles.requireReadable(file);
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view != null && view.readAttributes().permissions().stream().anyMatch(OTHERS::contains)) {
      session.warn("other users may read the key (chmod 600 prevents it): " + file);
    }
    if (length > MAX_BYTES) {
      throw new Failure(
          "not a key: the file has %d bytes, the maximum is %d".formatted(length, MAX_BYTES), file);
    }
    try (InputStream stream = Files.newInputStream(file)) {
      return new String(stream.readNBytes(MAX_BYTES), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw FileErrors.of(file, e);
    }
  }
}
