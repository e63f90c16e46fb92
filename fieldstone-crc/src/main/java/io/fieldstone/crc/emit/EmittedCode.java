package io.fieldstone.crc.emit;

import io.fieldstone.crc.Crc;
import io.fieldstone.crc.CrcModel;
import io.fieldstone.crc.CrcValue;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/**
 * A program or a circuit that computes a CRC, some bits of the message a step. It is proven: a step
 * is a linear function over GF(2), and equals the division of {@link Crc} on a basis, of one vector
 * for each bit of the register and of the message. Linear functions that agree on a basis agree
 * everywhere. The code contains the same proof as a test of its own, which any compiler of the
 * language runs.
 *
 * @param language the language
 * @param name the name of functions, classes and modules in the code
 * @param text the code
 * @param vectors the vectors on which it was compared
 */
public record EmittedCode(EmittedLanguage language, String name, String text, int vectors) {

  /**
   * Writes code.
   *
   * @param bits the bits of the message in a step: for programs a power of two up to 64, for
   *     circuits 1 to 1024
   * @throws IllegalArgumentException if the bits are others, or a program would have a register of
   *     more than 64 bits
   */
  public static EmittedCode of(CrcModel model, EmittedLanguage language, int bits) {
    language.requireFit(model.width(), bits);
    LinearStep step = LinearStep.of(model, bits);
    prove(step);
    String name = identifier(model.name());
    int vectors = model.width() + bits;
    String text =
        switch (language) {
          case C -> ProgramText.c(step, name);
          case JAVA -> ProgramText.java(step, name);
          case RUST -> ProgramText.rust(step, name);
          case VERILOG -> CircuitText.verilog(step, name);
          case VHDL -> CircuitText.vhdl(step, name);
        };
    return new EmittedCode(language, name, text, vectors);
  }

  /** Compares a step with the division that computes checksums, on all vectors of the basis. */
  private static void prove(LinearStep step) {
    CrcModel model = step.model();
    CrcModel plain =
        model
            .withReflection(model.refin(), model.refin())
            .withXorout(CrcValue.zeros(model.width()));
    byte[] message = new byte[Math.ceilDiv(step.bits(), Byte.SIZE)];
    for (int i = 0; i < model.width(); i++) {
      CrcValue register = LinearStep.bit(model.width(), i);
      CrcModel from = plain.withInit(model.refin() ? register.reflected() : register);
      require(step.ofRegister().get(i), from, message, step.bits());
    }
    CrcModel fromZero = plain.withInit(CrcValue.zeros(model.width()));
    for (int i = 0; i < step.bits(); i++) {
      int position = model.refin() ? i : step.bits() - 1 - i; // in the order of division
      int bit = position % Byte.SIZE;
      int mask = 1 << (model.refin() ? bit : Byte.SIZE - 1 - bit);
      message[position / Byte.SIZE] = (byte) mask;
      require(step.ofMessage().get(i), fromZero, message, step.bits());
      message[position / Byte.SIZE] = 0;
    }
  }

  private static void require(CrcValue actual, CrcModel model, byte[] message, int bits) {
    CrcValue expected = Crc.of(model).hashBits(MemorySegment.ofArray(message), bits);
    if (!actual.equals(expected)) {
      throw new AssertionError("step gives %s, expected %s".formatted(actual, expected));
    }
  }

  /** Returns a name of letters, digits and underlines, which begins with a letter. */
  private static String identifier(String name) {
    String plain =
        name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_").replaceAll("^_+|_+$", "");
    return plain.matches("[a-z].*") ? plain : "crc_" + plain;
  }
}
