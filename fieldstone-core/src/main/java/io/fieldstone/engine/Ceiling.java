package io.fieldstone.engine;

/**
 * A limit of the hardware behind an engine, as measured: what no loop can beat, and what results
 * are compared with.
 *
 * @param name what was measured, e.g. {@code device memory, read}
 * @param value how much
 * @param unit of the value, e.g. {@code GB/s}
 */
public record Ceiling(String name, double value, String unit) {}
