package io.fieldstone.crc.emit;

import io.fieldstone.crc.CrcModel;
import io.fieldstone.crc.CrcValue;
import java.util.ArrayList;
import java.util.List;

/**
 * The linear function from a register and some bits of a message to the next register, by its
 * values on a basis: a bit of the register, or a bit of the message, and zeros. A linear function
 * that has these values has all others, too.
 *
 * <p>If the model reflects its input, the register is reflected: its bit 0 is the coefficient of
 * the highest power, and bit 0 of the message comes first. Else its bit 0 is that of the lowest
 * power, and bit 0 of the message comes last.
 *
 * @param model the model
 * @param bits the bits of the message in a step
 * @param ofRegister the next register for each bit of the register
 * @param ofMessage the next register for each bit of the message
 */
record LinearStep(CrcModel model, int bits, List<CrcValue> ofRegister, List<CrcValue> ofMessage) {

  /** Computes a step by division bit after bit, which defines it. */
  static LinearStep of(CrcModel model, int bits) {
    int width = model.width();
    List<CrcValue> ofRegister = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      ofRegister.add(divide(model, bit(width, i), bits, -1));
    }
    List<CrcValue> ofMessage = new ArrayList<>();
    for (int i = 0; i < bits; i++) {
      ofMessage.add(divide(model, CrcValue.zeros(width), bits, i));
    }
    return new LinearStep(model, bits, List.copyOf(ofRegister), List.copyOf(ofMessage));
  }

  /** Returns a value with one set bit. */
  static CrcValue bit(int width, int i) {
    return new CrcValue(
        width, i < Long.SIZE ? 0 : 1L << i - Long.SIZE, i < Long.SIZE ? 1L << i : 0);
  }

  /**
   * Divides some bits of a message, of which one is set.
   *
   * @param set the number of the set bit; −1 if none is set
   */
  private static CrcValue divide(CrcModel model, CrcValue register, int bits, int set) {
    int width = model.width();
    CrcValue poly = model.poly();
    CrcValue rest = model.refin() ? register.reflected() : register;
    for (int i = 0; i < bits; i++) {
      boolean isSet = set == (model.refin() ? i : bits - 1 - i);
      boolean top = rest.bit(width - 1) ^ isSet;
      CrcValue shifted =
          new CrcValue(
              width, high(rest, width), width < Long.SIZE ? low(rest, width) : rest.low() << 1);
      rest = top ? shifted.xor(poly) : shifted;
    }
    return model.refin() ? rest.reflected() : rest;
  }

  private static long high(CrcValue value, int width) {
    if (width <= Long.SIZE) {
      return 0;
    }
    return (value.high() << 1 | value.low() >>> Long.SIZE - 1) & -1L >>> 2 * Long.SIZE - width;
  }

  private static long low(CrcValue value, int width) {
    return value.low() << 1 & (1L << width) - 1;
  }

  /** Returns the register before a message, in the order of this step. */
  CrcValue init() {
    return model.refin() ? model.init().reflected() : model.init();
  }

  /** Tests whether the register is reflected before the final XOR. */
  boolean isReflectedAtEnd() {
    return model.refin() != model.refout();
  }

  /** Returns the bits of the register on which a bit of the next register depends. */
  List<Integer> registerBits(int next) {
    return set(ofRegister, next);
  }

  /** Returns the bits of the message on which a bit of the next register depends. */
  List<Integer> messageBits(int next) {
    return set(ofMessage, next);
  }

  private static List<Integer> set(List<CrcValue> images, int bit) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < images.size(); i++) {
      if (images.get(i).bit(bit)) {
        numbers.add(i);
      }
    }
    return numbers;
  }
}
