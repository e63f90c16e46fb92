package io.fieldstone.spark.app;

import io.fieldstone.spark.coding.CodingOptions;
import picocli.CommandLine.Option;

/** The options of the code, those of {@code fieldstone encode}. */
final class ShardOptions {

  @Option(
      names = "--any",
      paramLabel = "M",
      description = "Shards that restore a file (default: 11).")
  private int any = CodingOptions.DEFAULT.sufficient();

  @Option(names = "--of", paramLabel = "N", description = "Shards of a file (default: 16).")
  private int of = CodingOptions.DEFAULT.shards();

  @Option(
      names = "--generation",
      paramLabel = "N",
      description = "Source blocks per generation (default: 128).")
  private int generation = CodingOptions.DEFAULT.generation();

  @Option(
      names = "--block-size",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description = "Block size (default: 4096).")
  private long blockSize = CodingOptions.DEFAULT.blockSize();

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Seed of the coefficients, a 64-bit number (default: 1).")
  private long seed = CodingOptions.DEFAULT.seed();

  /** Returns the parameters; a value out of bounds is a usage error. */
  CodingOptions parameters(JobCommand command) {
    try {
      return new CodingOptions(generation, Math.toIntExact(blockSize), any, of, seed);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw command.usage(String.valueOf(e.getMessage()));
    }
  }
}
