/**
 * Writes programs and circuits that compute a CRC some bits at a time, each with its proof. Begin
 * with {@link io.fieldstone.crc.emit.EmittedCode}.
 */
@NullMarked
package io.fieldstone.crc.emit;

import org.jspecify.annotations.NullMarked;
