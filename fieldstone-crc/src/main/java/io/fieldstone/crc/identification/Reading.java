package io.fieldstone.crc.identification;

import io.fieldstone.crc.CrcValue;
import java.util.ArrayList;
import java.util.List;

/**
 * The bits of written checksums that are the CRC: digits may have more bits than it, which are
 * constant.
 *
 * @param shift the bits below it
 * @param width its bits
 */
record Reading(int shift, int width) {

  /** Returns the readings of checksums, the widest first. */
  static List<Reading> of(List<Sample> samples) {
    CrcValue first = samples.getFirst().checksum().orElseThrow();
    long high = 0;
    long low = 0;
    for (Sample each : samples) {
      CrcValue difference = first.xor(each.checksum().orElseThrow());
      high |= difference.high();
      low |= difference.low();
    }
    int width = first.width();
    int top =
        high != 0
            ? 2 * Long.SIZE - Long.numberOfLeadingZeros(high)
            : Long.SIZE - Long.numberOfLeadingZeros(low);
    int bottom =
        low != 0
            ? Long.numberOfTrailingZeros(low)
            : Math.min(width, Long.SIZE + Long.numberOfTrailingZeros(high));
    List<Reading> readings = new ArrayList<>();
    for (int bits = width; bits >= Math.max(top, width - Byte.SIZE + 1); bits--) {
      add(readings, 0, bits);
    }
    if (top > 0) {
      add(readings, 0, top);
      add(readings, bottom, width - bottom);
      add(readings, bottom, top - bottom);
    }
    return readings;
  }

  /** Adds a reading that is wide enough, once; the first use of a hash takes milliseconds. */
  private static void add(List<Reading> readings, int shift, int width) {
    boolean isNew = width >= CrcIdentifier.MIN_WIDTH;
    for (Reading each : readings) {
      isNew &= each.shift != shift || each.width != width;
    }
    if (isNew) {
      readings.add(new Reading(shift, width));
    }
  }

  /** Returns samples whose checksums are the CRC alone. */
  List<Sample> read(List<Sample> samples) {
    List<Sample> read = new ArrayList<>();
    for (Sample each : samples) {
      CrcValue value = each.checksum().orElseThrow();
      long high = 0;
      long low = 0;
      for (int bit = 0; bit < width; bit++) {
        if (value.bit(shift + bit)) {
          high |= bit < Long.SIZE ? 0 : 1L << bit;
          low |= bit < Long.SIZE ? 1L << bit : 0;
        }
      }
      read.add(Sample.of(each.number(), each.shared(), new CrcValue(width, high, low)));
    }
    return read;
  }
}
