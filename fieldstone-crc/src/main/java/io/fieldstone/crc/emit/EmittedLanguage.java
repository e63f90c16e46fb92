package io.fieldstone.crc.emit;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** The languages of {@link EmittedCode}. */
public enum EmittedLanguage {
  C(".c", false),
  JAVA(".java", false),
  RUST(".rs", false),
  VERILOG(".v", true),
  VHDL(".vhd", true);

  private static final int MAX_PROGRAM_BITS = 64;
  private static final int MAX_CIRCUIT_BITS = 1024;

  private final String ending;
  private final boolean isCircuit;

  EmittedLanguage(String ending, boolean isCircuit) {
    this.ending = ending;
    this.isCircuit = isCircuit;
  }

  /** Returns the usual end of file names, such as {@code .c}. */
  public String ending() {
    return ending;
  }

  /** Tests whether it describes circuits. */
  boolean isCircuit() {
    return isCircuit;
  }

  /**
   * Checks that code can be written.
   *
   * @throws IllegalArgumentException if a program has more than 64 bits of register, or the bits of
   *     a step are not a power of two up to 64; or a circuit has more than 1024 bits a step
   */
  void requireFit(int width, int bits) {
    if (isCircuit) {
      if (bits < 1 || bits > MAX_CIRCUIT_BITS) {
        throw new IllegalArgumentException(
            "%d bits a step are not in 1…%d".formatted(bits, MAX_CIRCUIT_BITS));
      }
      return;
    }
    if (width > MAX_PROGRAM_BITS) {
      throw new IllegalArgumentException(
          "programs in %s have registers of up to %d bits, not %d; circuits have any"
              .formatted(this, MAX_PROGRAM_BITS, width));
    }
    if (Integer.bitCount(bits) != 1 || bits < 1 || bits > MAX_PROGRAM_BITS) {
      List<Integer> choices = IntStream.of(1, 2, 4, 8, 16, 32, 64).boxed().toList();
      throw new IllegalArgumentException(
          "%d bits a step: a program takes one of %s".formatted(bits, choices));
    }
  }

  /** Returns the name in lower case. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
