package io.fieldstone.cuda.driver;

/**
 * How many threads a launch has.
 *
 * @param gridX blocks along x, 1 … 2³¹ − 1
 * @param gridY blocks along y, 1 … 65,535
 * @param gridZ blocks along z, 1 … 65,535
 * @param blockX threads of a block, 1 … 1024
 * @param sharedBytes dynamic shared memory of a block
 */
public record LaunchShape(int gridX, int gridY, int gridZ, int blockX, int sharedBytes) {

  private static final int MAX_GRID_YZ = 65_535;
  private static final int MAX_BLOCK = 1024;

  /**
   * A shape that the hardware can launch.
   *
   * @throws IllegalArgumentException if a number is out of its range
   */
  public LaunchShape {
    require("gridX", gridX, 1, Integer.MAX_VALUE);
    require("gridY", gridY, 1, MAX_GRID_YZ);
    require("gridZ", gridZ, 1, MAX_GRID_YZ);
    require("blockX", blockX, 1, MAX_BLOCK);
    require("sharedBytes", sharedBytes, 0, Integer.MAX_VALUE);
  }

  /** A row of blocks, without dynamic shared memory. */
  public static LaunchShape of(int gridX, int blockX) {
    return new LaunchShape(gridX, 1, 1, blockX, 0);
  }

  private static void require(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(name + " " + value + " is not in " + least + "…" + most);
    }
  }
}
