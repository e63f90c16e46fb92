/**
 * Finds the CRC that made samples of messages and checksums. {@link
 * io.fieldstone.crc.identification.CrcIdentifier} is the class to read first, and {@link
 * io.fieldstone.crc.identification.Finding} is its answer.
 *
 * <p>Message and checksum of a sample are a polynomial over GF(2). The difference of two samples of
 * equal length is a multiple of the generator polynomial, whatever the initial register and the
 * final XOR are. Three samples of different lengths have such a multiple, too. The greatest common
 * divisor of multiples has the generator polynomial as a factor (Ewing, "Reverse-engineering a CRC
 * algorithm", 2010).
 */
@NullMarked
package io.fieldstone.crc.identification;

import org.jspecify.annotations.NullMarked;
