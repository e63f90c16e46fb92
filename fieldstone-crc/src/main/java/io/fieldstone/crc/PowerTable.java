package io.fieldstone.crc;

/** The powers of x below a number or below the period of x, with their exponents by value. */
final class PowerTable {

  private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

  private final long[] low;
  private final long[] high;
  private final int width;
  private final int size;

  /** The exponent + 1 of a power, by its hash; 0 if the place is free. */
  private final int[] places;

  private PowerTable(WideModulus modulus, int limit) {
    width = modulus.degree();
    low = new long[limit];
    high = new long[width > Long.SIZE ? limit : 0];
    places = new int[Integer.highestOneBit(Math.max(1, limit)) * 4];
    CrcValue power = modulus.one();
    int exponent = 0;
    while (exponent < limit && exponent(power) < 0) {
      low[exponent] = power.low();
      if (high.length > 0) {
        high[exponent] = power.high();
      }
      places[place(power)] = exponent + 1;
      power = modulus.timesX(power);
      exponent++;
    }
    size = exponent;
  }

  /** Computes the powers with exponents below a limit. */
  static PowerTable of(WideModulus modulus, int limit) {
    return new PowerTable(modulus, limit);
  }

  /** Returns the number of different powers: the limit, or the period if it is smaller. */
  int size() {
    return size;
  }

  CrcValue get(int exponent) {
    return new CrcValue(width, high.length > 0 ? high[exponent] : 0, low[exponent]);
  }

  /** Returns the exponent of a power; −1 if the value is none of them. */
  int exponent(CrcValue value) {
    return places[place(value)] - 1;
  }

  /** Returns the place of a value, or the free one where it belongs. */
  private int place(CrcValue value) {
    int mask = places.length - 1;
    int at = (int) ((value.low() ^ value.high() * 3) * MIX >>> Integer.SIZE) & mask;
    while (places[at] != 0 && !is(places[at] - 1, value)) {
      at = at + 1 & mask;
    }
    return at;
  }

  private boolean is(int exponent, CrcValue value) {
    return low[exponent] == value.low() && (high.length == 0 || high[exponent] == value.high());
  }
}
