package io.fieldstone.net.trust;

import io.fieldstone.net.state.StateFolder;
import io.fieldstone.stream.file.FileErrors;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A private key (ECDSA, P-256) and its self-signed certificate, which are kept in a file. Trust
 * comes from the fingerprint, so the names in the certificate mean nothing. Immutable.
 */
public final class Identity {
  /** The file in the folder of an identity: key and certificate as PEM. */
  public static final String FILE_NAME = "identity.pem";

  /** The file of a relay, which is another peer than a server of the same user. */
  public static final String RELAY_FILE_NAME = "relay_identity.pem";

  private static final Duration VALIDITY = Duration.ofDays(3650);

  /** A clock that is a little late accepts a new certificate. */
  private static final Duration BACKDATING = Duration.ofDays(1);

  private static final int MAX_FILE_BYTES = 1 << 16;
  private static final String KEY_LABEL = "PRIVATE KEY";
  private static final String CERTIFICATE_LABEL = "CERTIFICATE";
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  private final PrivateKey key;
  private final X509Certificate certificate;
  private final Fingerprint fingerprint;

  private Identity(PrivateKey key, X509Certificate certificate) {
    this.key = key;
    this.certificate = certificate;
    this.fingerprint = Fingerprint.of(certificate);
  }

  /**
   * Makes an identity that no file keeps. It is valid for ten years from a day before {@code now}.
   */
  public static Identity create(Instant now) {
    return create(now.minus(BACKDATING), now.plus(VALIDITY));
  }

  /** Makes an identity that no file keeps, which is valid for a time. */
  static Identity create(Instant from, Instant to) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      KeyPair keys = generator.generateKeyPair();
      X509Certificate certificate = SelfSignedCertificate.of(keys, "Fieldstone", from, to);
      return new Identity(keys.getPrivate(), certificate);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot make a certificate: " + e.getMessage(), e);
    }
  }

  /**
   * Reads the identity in a folder, or makes it. The folder is created if it is absent. The file
   * appears complete, with mode 600; if several processes make one at once, all get the same.
   *
   * @param folder where {@link #FILE_NAME} is
   * @param now the time at which the certificate must be valid
   * @throws IOException if the file cannot be read or written, is damaged, is readable by other
   *     users, or if its certificate is not valid at {@code now}; the message names the file
   */
  public static Identity open(Path folder, Instant now) throws IOException {
    return open(folder, FILE_NAME, now);
  }

  /**
   * Reads the identity of a relay in a folder, or makes it, as {@link #open} does that of a server.
   *
   * @param folder where {@link #RELAY_FILE_NAME} is
   * @param now the time at which the certificate must be valid
   * @throws IOException as {@link #open} does
   */
  public static Identity openRelay(Path folder, Instant now) throws IOException {
    return open(folder, RELAY_FILE_NAME, now);
  }

  private static Identity open(Path folder, String name, Instant now) throws IOException {
    Path file = folder.resolve(name);
    if (Files.notExists(file)) {
      create(now).store(folder, file);
    }
    return load(file, now);
  }

  /** The private key. */
  public PrivateKey key() {
    return key;
  }

  /** The self-signed certificate. */
  public X509Certificate certificate() {
    return certificate;
  }

  /** The fingerprint of the certificate. */
  public Fingerprint fingerprint() {
    return fingerprint;
  }

  private static Identity load(Path file, Instant now) throws IOException {
    if (Files.size(file) > MAX_FILE_BYTES) {
      throw damaged(file, "it has more than " + MAX_FILE_BYTES + " bytes", null);
    }
    requireOwnerOnly(file);
    String text =
        FileErrors.naming(file, () -> Files.readString(file, StandardCharsets.ISO_8859_1));
    Identity identity;
    try {
      PrivateKey key =
          KeyFactory.getInstance("EC")
              .generatePrivate(new PKCS8EncodedKeySpec(block(text, KEY_LABEL, file)));
      X509Certificate certificate =
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(
                      new ByteArrayInputStream(block(text, CERTIFICATE_LABEL, file)));
      identity = new Identity(key, certificate);
      identity.requireMatch(file);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw damaged(file, e.getMessage(), e);
    }
    identity.requireValid(file, now);
    return identity;
  }

  private void requireMatch(Path file) throws GeneralSecurityException, IOException {
    byte[] challenge = fingerprint.hex().getBytes(StandardCharsets.US_ASCII);
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(key);
    signature.update(challenge);
    byte[] signed = signature.sign();
    signature.initVerify(certificate.getPublicKey());
    signature.update(challenge);
    if (!signature.verify(signed)) {
      throw damaged(file, "the key is not that of the certificate", null);
    }
  }

  private void requireValid(Path file, Instant now) throws IOException {
    Instant from = certificate.getNotBefore().toInstant();
    Instant to = certificate.getNotAfter().toInstant();
    if (now.isBefore(from)) {
      throw new FileSystemException(
          file.toString(),
          null,
          "the certificate is valid from " + from + ", but the clock says " + now);
    }
    if (now.isAfter(to)) {
      throw new FileSystemException(
          file.toString(),
          null,
          "the certificate expired at "
              + to
              + "; delete the file to get a new identity, with a new fingerprint");
    }
  }

  private void store(Path folder, Path file) throws IOException {
    StateFolder.make(folder);
    Path temporary = folder.resolve("." + FILE_NAME + "." + UUID.randomUUID());
    try {
      try {
        write(temporary);
      } catch (ClosedByInterruptException e) {
        throw e;
      } catch (IOException e) {
        throw notWritten(file, e);
      }
      try {
        // A link, unlike a move, fails if another process was faster.
        Files.createLink(file, temporary);
      } catch (FileAlreadyExistsException e) {
        return;
      } catch (UnsupportedOperationException | FileSystemException e) {
        moveIfAbsent(temporary, file);
      }
      forceDirectory(folder);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private static IOException notWritten(Path file, IOException e) {
    String reason = e instanceof FileSystemException system ? system.getReason() : e.getMessage();
    FileSystemException named =
        new FileSystemException(
            file.toString(), null, "cannot be written: " + (reason == null ? e : reason));
    named.initCause(e);
    return named;
  }

  private static void moveIfAbsent(Path temporary, Path file) throws IOException {
    try {
      Files.move(temporary, file);
    } catch (FileAlreadyExistsException e) {
      // Another process was faster; its identity is read.
    }
  }

  private void write(Path temporary) throws IOException {
    FileAttribute<?>[] mode =
        StateFolder.isPosix(temporary)
            ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
            : new FileAttribute<?>[0];
    try (FileChannel channel =
        FileChannel.open(
            temporary, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), mode)) {
      ByteBuffer text = ByteBuffer.wrap(pem().getBytes(StandardCharsets.US_ASCII));
      while (text.hasRemaining()) {
        channel.write(text);
      }
      channel.force(true);
    }
  }

  private String pem() {
    try {
      return pem(KEY_LABEL, key.getEncoded()) + pem(CERTIFICATE_LABEL, certificate.getEncoded());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot encode a certificate: " + e.getMessage(), e);
    }
  }

  private static String pem(String label, byte[] der) {
    Base64.Encoder encoder = Base64.getMimeEncoder(64, new byte[] {'\n'});
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(label, encoder.encodeToString(der), label);
  }

  private static byte[] block(String text, String label, Path file) throws IOException {
    String begin = "-----BEGIN " + label + "-----";
    String end = "-----END " + label + "-----";
    int from = text.indexOf(begin);
    int to = text.indexOf(end, Math.max(from, 0));
    if (from < 0 || to < 0) {
      throw damaged(file, "it has no block " + label, null);
    }
    return Base64.getMimeDecoder().decode(text.substring(from + begin.length(), to));
  }

  private static void requireOwnerOnly(Path file) throws IOException {
    if (StateFolder.isPosix(file)) {
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
      if (!OWNER_ONLY.containsAll(permissions)) {
        throw new FileSystemException(
            file.toString(),
            null,
            "the private key is readable by other users (mode "
                + PosixFilePermissions.toString(permissions)
                + "); set mode 600");
      }
    }
  }

  private static void forceDirectory(Path folder) throws IOException {
    if (StateFolder.isPosix(folder)) {
      try (FileChannel channel = FileChannel.open(folder)) {
        channel.force(true);
      }
    }
  }

  private static FileSystemException damaged(
      Path file, @Nullable String problem, @Nullable Exception cause) {
    FileSystemException exception =
        new FileSystemException(
            file.toString(), null, "not an identity: " + problem + "; delete it to get a new one");
    if (cause != null) {
      exception.initCause(cause);
    }
    return exception;
  }
}
