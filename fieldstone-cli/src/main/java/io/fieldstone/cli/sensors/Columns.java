package io.fieldstone.cli.sensors;

/**
 * Two columns of CSV, by the names that its header has, in any case.
 *
 * @param first of x, or of a latitude or longitude
 * @param second of the other coordinate
 */
public record Columns(String first, String second) {}
