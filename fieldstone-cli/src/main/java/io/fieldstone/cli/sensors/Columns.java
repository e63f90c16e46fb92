package io.fieldstone.cli.sensors;

/**
 * The names of two CSV columns in its header, in any case.
 *
 * @param first the column of x, or of a latitude or longitude
 * @param second the column of the other coordinate
 */
public record Columns(String first, String second) {}
