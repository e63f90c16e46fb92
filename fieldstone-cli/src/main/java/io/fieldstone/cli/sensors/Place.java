package io.fieldstone.cli.sensors;

/**
 * Something with a place, as a file has it.
 *
 * @param id its id
 * @param first x, or the longitude
 * @param second y, or the latitude
 */
public record Place(String id, double first, double second) {}
