package io.fieldstone.cli.coding;

import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.Units;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/**
 * The options of the code and its block sizes. Each command declares {@code --code} itself, because
 * defaults differ.
 */
public final class CodingOptions {

  /** The values of {@code --code}. */
  public enum CodeName {
    dense,
    systematic,
    sparse,
    pipeline,
    cauchy
  }

  /** The default of {@code --generation}. */
  private static final int DEFAULT_BLOCKS = 128;

  @Option(
      names = "--generation",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Source blocks per generation (default: " + DEFAULT_BLOCKS + ").")
  private Optional<Long> generation = Optional.empty();

  @Option(
      names = "--block-size",
      paramLabel = "SIZE",
      defaultValue = "4096",
      converter = Converters.Size.class,
      description = "Block size, such as 4096, 4K or 64KiB (default: ${DEFAULT-VALUE}).")
  private long blockSize;

  @Option(
      names = "--density",
      paramLabel = "D",
      defaultValue = "0.25",
      converter = Converters.Decimal.class,
      description =
          "Fraction of nonzero coefficients in the sparse code, in (0, 1] (default:"
              + " ${DEFAULT-VALUE}).")
  private double density;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      converter = Converters.Seed.class,
      description = "Seed of the random coefficients, a 64-bit number (default: ${DEFAULT-VALUE}).")
  private long seed;

  /** Returns the seed of the random coefficients. */
  public long seed() {
    return seed;
  }

  /**
   * Returns the generation size; a value out of range is a usage error.
   *
   * @param maxDefault the maximum without {@code --generation}
   */
  public int blocks(CommandSpec command, int maxDefault) {
    return Converters.requireInRange(
        command,
        "--generation",
        generation.orElse((long) Math.min(DEFAULT_BLOCKS, maxDefault)),
        1,
        GenerationShape.MAX_BLOCKS);
  }

  /** Returns the block size in bytes; a value out of range is a usage error. */
  public int blockSize(CommandSpec command) {
    return Converters.requireSizeInRange(
        command, "--block-size", blockSize, 1, GenerationShape.MAX_BLOCK_SIZE);
  }

  /**
   * Returns the shape that these options describe; a value out of range is a usage error.
   *
   * @param code the value of {@code --code}
   * @param redundancy the redundancy of the pipeline code
   */
  public GenerationShape shape(CommandSpec command, CodeName code, double redundancy) {
    requireDensity(command);
    int bytes = blockSize(command);
    try {
      return new GenerationShape(
          Gf256.DEFAULT, code(code, redundancy), blocks(command, DEFAULT_BLOCKS), bytes);
    } catch (IllegalArgumentException e) {
      throw Converters.usage(command, "--code %s: %s".formatted(code, e.getMessage()));
    }
  }

  /** Checks the density, also where the code has none; a value out of range is a usage error. */
  void requireDensity(CommandSpec command) {
    if (!(density > 0 && density <= 1)) {
      throw Converters.usage(command, "--density " + Units.plain(density) + " is not in (0, 1]");
    }
  }

  private Code code(CodeName code, double redundancy) {
    return switch (code) {
      case dense -> new Code.Dense();
      case systematic -> new Code.Systematic();
      case sparse -> Code.Sparse.ofDensity(density);
      case pipeline -> new Code.Pipeline(redundancy);
      case cauchy -> new Code.Cauchy();
    };
  }
}
