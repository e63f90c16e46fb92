package io.fieldstone.relays.terrain;

import io.fieldstone.relays.Equipment;

/**
 * What links two stations over terrain, unless they have {@link Equipment} of their own.
 *
 * @param range the greatest length of a link in metres
 * @param sensorHeight the height of the antennas of sensors above the ground in metres
 * @param relayHeight the height of the antennas of relays above the ground in metres
 * @param frequency the frequency in hertz
 * @param clearance the fraction of the first Fresnel zone that must be clear
 */
public record RadioLink(
    double range, double sensorHeight, double relayHeight, double frequency, double clearance) {

  /** The clearance at which an obstacle costs nothing: 60 % of the first Fresnel zone. */
  public static final double USUAL_CLEARANCE = 0.6;

  /** The radius of the earth times this bends rays as the usual atmosphere does. */
  public static final double REFRACTION = 4 / 3.0;

  private static final double LIGHT = 299_792_458;

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if one is not finite, the range or the frequency is not
   *     positive, a height is not in 0 … 10,000, or the clearance is not in 0 … 1; the message has
   *     it
   */
  public RadioLink {
    require("range", range, Double.MIN_NORMAL, Double.MAX_VALUE);
    require("height", sensorHeight, 0, Equipment.MAX_HEIGHT);
    require("height", relayHeight, 0, Equipment.MAX_HEIGHT);
    require("frequency", frequency, 1e6, 1e12);
    require("clearance", clearance, 0, 1);
  }

  private static void require(String name, double value, double least, double greatest) {
    if (!(value >= least && value <= greatest)) {
      throw new IllegalArgumentException(
          "%s %s is not between %s and %s".formatted(name, value, least, greatest));
    }
  }

  /** Returns the wavelength in metres. */
  public double wavelength() {
    return LIGHT / frequency;
  }

  /** Returns the square of the clearance times the wavelength, in metres. */
  double zone() {
    return clearance * clearance * wavelength();
  }
}
