package io.fieldstone.cli.sensors;

/**
 * A sensor or site with its coordinates in a file.
 *
 * @param id the identifier
 * @param first x, or the longitude in degrees
 * @param second y, or the latitude in degrees
 */
public record Place(String id, double first, double second) {}
