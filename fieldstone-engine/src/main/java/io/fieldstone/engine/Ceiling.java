package io.fieldstone.engine;

/**
 * A measured upper limit of the hardware behind an engine, such as a memory bandwidth. Results are
 * compared with it.
 *
 * @param name the quantity, for example {@code device memory, read}
 * @param value the measured value
 * @param unit the unit of the value, for example {@code GB/s}
 */
public record Ceiling(String name, double value, String unit) {}
