package io.fieldstone.crc.identification;

import io.fieldstone.crc.CrcValue;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/** A message with its checksum, or a frame that has its checksum among its bytes. Immutable. */
public final class Sample {

  private final int number;
  private final byte[] bytes;
  private final Optional<CrcValue> checksum;

  private Sample(int number, byte[] bytes, Optional<CrcValue> checksum) {
    this.number = number;
    this.bytes = bytes.clone();
    this.checksum = checksum;
  }

  /**
   * Returns a message with its checksum.
   *
   * @param number identifies the sample in answers, such as its line
   * @param message copied
   * @param checksum as wide as it is written; the CRC may be narrower
   */
  public static Sample of(int number, byte[] message, CrcValue checksum) {
    return new Sample(number, message, Optional.of(checksum));
  }

  /**
   * Returns a frame that has its checksum at an unknown place.
   *
   * @param number identifies the sample in answers, such as its line
   * @param frame copied
   */
  public static Sample frame(int number, byte[] frame) {
    return new Sample(number, frame, Optional.empty());
  }

  /** Returns the number that identifies the sample. */
  public int number() {
    return number;
  }

  /** Returns the checksum; empty if it is among the bytes. */
  public Optional<CrcValue> checksum() {
    return checksum;
  }

  /** Returns the number of bytes of the message or frame. */
  public int length() {
    return bytes.length;
  }

  /** Returns a copy of the bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** Returns the bytes, which the caller must not change. */
  byte[] shared() {
    return bytes;
  }

  /** Returns true if the other has the same message. */
  boolean hasMessageOf(Sample other) {
    return Arrays.equals(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Sample sample
        && number == sample.number
        && Arrays.equals(bytes, sample.bytes)
        && checksum.equals(sample.checksum);
  }

  @Override
  public int hashCode() {
    return Objects.hash(number, Arrays.hashCode(bytes), checksum);
  }

  @Override
  public String toString() {
    return "sample %d of %d bytes".formatted(number, bytes.length);
  }
}
