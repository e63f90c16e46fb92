package io.fieldstone.rlnc.wire;

import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;

/** The numbers of fields and codes in headers: the tables of docs/format.md. */
final class Registry {

  private static final int FIELD_11D = 1;
  private static final int FIELD_11B = 2;
  private static final int DENSE = 1;
  private static final int SYSTEMATIC = 2;
  private static final int SPARSE = 3;
  private static final int PIPELINE = 4;
  private static final int CAUCHY = 5;

  private Registry() {}

  static byte fieldId(Gf256 field) {
    return switch (field.polynomial()) {
      case 0x11D -> FIELD_11D;
      case 0x11B -> FIELD_11B;
      default ->
          throw new IllegalArgumentException(
              "field " + field + " has no number in the format (0x11D and 0x11B have)");
    };
  }

  static byte codeId(Code code) {
    return switch (code) {
      case Code.Dense _ -> DENSE;
      case Code.Systematic _ -> SYSTEMATIC;
      case Code.Sparse _ -> SPARSE;
      case Code.Pipeline _ -> PIPELINE;
      case Code.Cauchy _ -> CAUCHY;
    };
  }

  /** Returns the 64-bit parameter of a code: density threshold, redundancy as binary64, or zero. */
  static long codeParameter(Code code) {
    return switch (code) {
      case Code.Dense _, Code.Systematic _, Code.Cauchy _ -> 0;
      case Code.Sparse(int threshold) -> threshold;
      case Code.Pipeline(double redundancy) -> Double.doubleToLongBits(redundancy);
    };
  }

  /**
   * Returns the shape that the numbers of a header define.
   *
   * @param offsets the offsets of the five numbers, for messages
   */
  static GenerationShape shape(
      int fieldId, int codeId, long parameter, int n, int k, Offsets offsets)
      throws MalformedDataException {
    Gf256 field =
        switch (fieldId) {
          case FIELD_11D -> Gf256.DEFAULT;
          case FIELD_11B -> Gf256.RIJNDAEL;
          default -> throw new MalformedDataException(offsets.field, "unknown field " + fieldId);
        };
    Code code = code(codeId, parameter, offsets);
    if (!code.isOver(field)) {
      throw new MalformedDataException(
          offsets.field, "the %s code is not defined over %s".formatted(code.name(), field));
    }
    requireInRange("generation size", n, code.maxBlocks(), offsets.blocks);
    requireInRange("block size", k, GenerationShape.MAX_BLOCK_SIZE, offsets.blockSize);
    return new GenerationShape(field, code, n, k);
  }

  private static Code code(int codeId, long parameter, Offsets offsets)
      throws MalformedDataException {
    try {
      return switch (codeId) {
        case DENSE -> unparameterised(new Code.Dense(), parameter);
        case SYSTEMATIC -> unparameterised(new Code.Systematic(), parameter);
        case SPARSE -> new Code.Sparse(Math.toIntExact(parameter));
        case PIPELINE -> new Code.Pipeline(Double.longBitsToDouble(parameter));
        case CAUCHY -> unparameterised(new Code.Cauchy(), parameter);
        default -> throw new MalformedDataException(offsets.code, "unknown code " + codeId);
      };
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new MalformedDataException(
          offsets.parameter, "code parameter 0x%016x: %s".formatted(parameter, e.getMessage()));
    }
  }

  private static Code unparameterised(Code code, long parameter) {
    if (parameter != 0) {
      throw new IllegalArgumentException("the " + code.name() + " code has no parameter");
    }
    return code;
  }

  private static void requireInRange(String name, int value, int max, int offset)
      throws MalformedDataException {
    if (value < 1 || value > max) {
      throw new MalformedDataException(
          offset, "%s %d is not in 1…%d".formatted(name, Integer.toUnsignedLong(value), max));
    }
  }

  /** The offsets of the numbers of a shape in a header. */
  record Offsets(int field, int code, int parameter, int blocks, int blockSize) {}
}
