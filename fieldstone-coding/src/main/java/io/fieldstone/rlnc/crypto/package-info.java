/**
 * Encrypts generations before they are coded, and signs what a publisher calls an object
 * (docs/format.md, "Encryption" and "Publisher record"). Relays and recoders work on ciphertext.
 *
 * <p>Begin with {@link io.fieldstone.rlnc.crypto.GenerationCipher}; {@link
 * io.fieldstone.rlnc.crypto.GenerationContent} says where the bytes of a file are. Keys are {@link
 * io.fieldstone.rlnc.crypto.MasterKey}, {@link io.fieldstone.rlnc.crypto.SigningKey} and {@link
 * io.fieldstone.rlnc.crypto.PublisherKey}. All algorithms are those of the JDK.
 */
@NullMarked
package io.fieldstone.rlnc.crypto;

import org.jspecify.annotations.NullMarked;
