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

  /** The default of {@code --density}. */
  private static final double DEFAULT_DENSITY = 0.25;

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
      converter = Converters.Decimal.class,
      description =
          "With --code sparse: fraction of nonzero coefficients, in (0, 1] (default: "
              + DEFAULT_DENSITY
              + ").")
  private Optional<Double> density = Optional.empty();

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
    int bytes = blockSize(command);
    try {
      return new GenerationShape(
          Gf256.DEFAULT, code(code, redundancy), blocks(command, DEFAULT_BLOCKS), bytes);
    } catch (IllegalArgumentException e) {
      throw Converters.usage(command, "--code %s: %s".formatted(code, e.getMessage()));
    }
  }

  /** Checks the density; a value out of range, or for a code that has none, is a usage error. */
  void requireDensity(CommandSpec command, Optional<CodeName> code) {
    if (density.isEmpty()) {
      return;
    }
    if (!(density.get() > 0 && density.get() <= 1)) {
      throw Converters.usage(
          command, "--density " + Units.plain(density.get()) + " is not in (0, 1]");
    }
    if (!code.equals(Optional.of(CodeName.sparse))) {
      throw Converters.usage(command, "--density needs --code sparse");
    }
  }

  private Code code(CodeName code, double redundancy) {
    return switch (code) {
      case dense -> new Code.Dense();
      case systematic -> new Code.Systematic();
      case sparse -> Code.Sparse.ofDensity(density.orElse(DEFAULT_DENSITY));
      case pipeline -> new Code.Pipeline(redundancy);
      case cauchy -> new Code.Cauchy();
    };
  }
}
