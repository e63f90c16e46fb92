package io.fieldstone.spark.crc;

import io.fieldstone.crc.CrcValue;
import java.util.Optional;

/**
 * The checksum of a file.
 *
 * @param name the name as listed or given
 * @param length the bytes of the file; 0 with a problem
 * @param checksum the checksum; empty with a problem
 * @param problem why the file could not be read; empty with a checksum
 */
public record FileChecksum(
    String name, long length, Optional<CrcValue> checksum, Optional<String> problem) {}
