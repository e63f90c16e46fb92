/**
 * Cyclic redundancy checks of any model: {@link io.fieldstone.crc.CrcModel} says what an algorithm
 * is, {@link io.fieldstone.crc.CrcCatalogue} knows those in use by name, {@link
 * io.fieldstone.crc.Crc} computes, combines and inverts them, and {@link
 * io.fieldstone.crc.FileHasher} hashes files in bounded memory.
 *
 * <p>Messages are divided by an engine's {@link io.fieldstone.engine.checksums.Checksums}; what is
 * here is what is small: parameters, and powers of x. Only registers wider than engines have, of 65
 * to 128 bits, are divided here.
 */
@NullMarked
package io.fieldstone.crc;

import org.jspecify.annotations.NullMarked;
