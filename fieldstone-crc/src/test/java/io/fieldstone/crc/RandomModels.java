package io.fieldstone.crc;

import java.math.BigInteger;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Random models of every width, and checksums by the definition, in big integers. */
final class RandomModels {

  private RandomModels() {}

  /** One of each width, 1 to 128. */
  static Stream<CrcModel> ofEveryWidth() {
    Random random = new Random(19610131);
    return IntStream.rangeClosed(1, CrcValue.MAX_WIDTH).mapToObj(width -> next(random, width));
  }

  static CrcModel next(Random random, int width) {
    CrcValue poly = value(random, width);
    CrcValue odd = poly.bit(0) ? poly : poly.xor(CrcValue.of(width, 1));
    return new CrcModel(
        "random",
        odd,
        value(random, width),
        random.nextBoolean(),
        random.nextBoolean(),
        value(random, width));
  }

  static CrcValue value(Random random, int width) {
    return CrcValue.parse(width, new BigInteger(width, random).toString(16));
  }

  static BigInteger number(CrcValue value) {
    return new BigInteger(value.toString(), 16);
  }

  /** Long division of the whole message. */
  static CrcValue checksum(CrcModel model, byte[] message) {
    int width = model.width();
    BigInteger dividend = number(model.init());
    for (byte each : message) {
      int bits = model.refin() ? Integer.reverse(each) >>> 24 : each & 0xFF;
      dividend = dividend.shiftLeft(8).xor(BigInteger.valueOf(bits).shiftLeft(width));
    }
    BigInteger divisor = number(model.poly()).setBit(width);
    BigInteger rest = dividend;
    while (rest.bitLength() > width) {
      rest = rest.xor(divisor.shiftLeft(rest.bitLength() - 1 - width));
    }
    CrcValue register = CrcValue.parse(width, rest.toString(16));
    return (model.refout() ? register.reflected() : register).xor(model.xorout());
  }
}
