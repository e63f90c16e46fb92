package io.fieldstone.relays;

/**
 * A place on the earth.
 *
 * @param latitude in degrees, −90 … 90
 * @param longitude in degrees, −180 … 180
 */
public record Position(double latitude, double longitude) {}
