package io.fieldstone.net.endpoint;

import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.crypto.GenerationCipher;
import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.rlnc.crypto.SigningKey;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How files become objects. Immutable and thread-safe.
 *
 * @param shape field, code, n and k
 * @param encryption the key with which files are encrypted before they are coded, if they are
 * @param signing the key that signs their names and ids, if they are signed
 * @param secrets files and folders that are never offered, such as those of the keys
 */
public record OfferOptions(
    GenerationShape shape,
    Optional<MasterKey> encryption,
    Optional<SigningKey> signing,
    List<Path> secrets) {

  /**
   * Checks the shape.
   *
   * @throws IllegalArgumentException if generations of this shape cannot be encrypted ({@link
   *     GenerationCipher#plaintextBytes}), but shall be
   */
  public OfferOptions {
    secrets = List.copyOf(secrets);
    if (encryption.isPresent()) {
      int _ = GenerationCipher.plaintextBytes(shape);
    }
  }

  /** Returns options without encryption and signatures. */
  public static OfferOptions of(GenerationShape shape) {
    return new OfferOptions(shape, Optional.empty(), Optional.empty(), List.of());
  }

  /** Returns these options with or without encryption. */
  public OfferOptions withEncryption(Optional<MasterKey> key) {
    return new OfferOptions(shape, key, signing, secrets);
  }

  /** Returns these options with or without signatures. */
  public OfferOptions withSigning(Optional<SigningKey> key) {
    return new OfferOptions(shape, encryption, key, secrets);
  }

  /** Returns these options with other files and folders that are never offered. */
  public OfferOptions withSecrets(List<Path> paths) {
    return new OfferOptions(shape, encryption, signing, paths);
  }
}
