/**
 * How good a CRC is: {@link io.fieldstone.crc.detection.HammingProfile} has its Hamming distances
 * by the length of messages, and {@link io.fieldstone.crc.detection.UndetectedErrors} the exact
 * numbers and probabilities of the errors that it misses at one length.
 *
 * <p>Init, final XOR and reflections do not matter: an error is missed if its polynomial is a
 * multiple of the generator polynomial. Lengths are those of the message in bits, without the
 * checksum.
 */
@NullMarked
package io.fieldstone.crc.detection;

import org.jspecify.annotations.NullMarked;
