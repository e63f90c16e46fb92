package io.fieldstone.cuda.driver;

/**
 * A device's memory at one moment.
 *
 * @param freeBytes not in use by anybody
 * @param totalBytes all there is
 */
public record MemoryInfo(long freeBytes, long totalBytes) {}
