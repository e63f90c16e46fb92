package io.fieldstone.cuda.driver;

/**
 * The grid and block sizes of a launch.
 *
 * @param gridX blocks along x, 1 … 2³¹ − 1
 * @param gridY blocks along y, 1 … 65,535
 * @param gridZ blocks along z, 1 … 65,535
 * @param blockX threads of a block along x
 * @param blockY threads of a block along y; blockX · blockY is in 1 … 1024
 * @param sharedBytes dynamic shared memory of a block
 */
public record LaunchShape(
    int gridX, int gridY, int gridZ, int blockX, int blockY, int sharedBytes) {

  private static final int MAX_GRID_YZ = 65_535;
  private static final int MAX_BLOCK = 1024;

  /**
   * Checks that the hardware can launch this shape.
   *
   * @throws IllegalArgumentException if a value is out of range
   */
  public LaunchShape {
    require("gridX", gridX, 1, Integer.MAX_VALUE);
    require("gridY", gridY, 1, MAX_GRID_YZ);
    require("gridZ", gridZ, 1, MAX_GRID_YZ);
    require("blockX", blockX, 1, MAX_BLOCK);
    require("blockY", blockY, 1, MAX_BLOCK / blockX);
    require("sharedBytes", sharedBytes, 0, Integer.MAX_VALUE);
  }

  /** Creates a shape with one-dimensional blocks. */
  public LaunchShape(int gridX, int gridY, int gridZ, int blockX, int sharedBytes) {
    this(gridX, gridY, gridZ, blockX, 1, sharedBytes);
  }

  /** Returns a one-dimensional grid without dynamic shared memory. */
  public static LaunchShape of(int gridX, int blockX) {
    return new LaunchShape(gridX, 1, 1, blockX, 0);
  }

  private static void require(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(name + " " + value + " is not in " + min + "…" + max);
    }
  }
}
