/**
 * Cyclic redundancy checks of any model. {@link io.fieldstone.crc.CrcModel} defines an algorithm,
 * {@link io.fieldstone.crc.CrcCatalogue} finds published ones by name, {@link
 * io.fieldstone.crc.Crc} computes and combines checksums, {@link io.fieldstone.crc.Syndromes}
 * locates errors, and {@link io.fieldstone.crc.FileHasher} hashes files in bounded memory.
 *
 * <p>An engine's {@link io.fieldstone.engine.checksums.Checksums} divide messages. This package
 * contains the parameters and powers of x, and the division in registers of 65 to 128 bits, which
 * engines lack.
 */
@NullMarked
package io.fieldstone.crc;

import org.jspecify.annotations.NullMarked;
