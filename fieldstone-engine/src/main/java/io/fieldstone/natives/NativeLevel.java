package io.fieldstone.natives;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A level of instruction sets that kernels are written for. A processor of a level runs the kernels
 * of the lower levels of its architecture too.
 */
public enum NativeLevel {
  /** AVX2, BMI2, PCLMULQDQ. */
  AVX2("AVX2", "x86_64", 1, 32),

  /** The instructions of AVX2, GFNI, VPCLMULQDQ. */
  AVX2_GFNI("AVX2 and GFNI", "x86_64", 2, 32),

  /** The instructions of AVX2_GFNI, AVX-512 F, BW, DQ, VL, VPOPCNTDQ. */
  AVX512_GFNI("AVX-512 and GFNI", "x86_64", 3, 64),

  /** The vectors of each aarch64 processor. */
  NEON("NEON", "aarch64", 1, 16),

  /** The instructions of NEON, PMULL. */
  NEON_PMULL("NEON and PMULL", "aarch64", 2, 16);

  private final String title;
  private final String architecture;
  private final int number;
  private final int vectorBytes;

  NativeLevel(String title, String architecture, int number, int vectorBytes) {
    this.title = title;
    this.architecture = architecture;
    this.number = number;
    this.vectorBytes = vectorBytes;
  }

  /** Returns the name for users. */
  public String title() {
    return title;
  }

  /** Returns the bytes of a vector. */
  public int vectorBytes() {
    return vectorBytes;
  }

  /** Returns whether affine transforms over GF(2) are instructions. */
  public boolean hasAffineTransforms() {
    return this == AVX2_GFNI || this == AVX512_GFNI;
  }

  /** Returns the last part of the names of its kernels, which is also its name in options. */
  public String suffix() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the levels of an architecture up to a number of {@code fs_level}, the highest first.
   */
  static List<NativeLevel> upTo(String architecture, int number) {
    return levels(architecture).filter(level -> level.number <= number).toList().reversed();
  }

  private static Stream<NativeLevel> levels(String architecture) {
    return Arrays.stream(values()).filter(level -> level.architecture.equals(architecture));
  }
}
