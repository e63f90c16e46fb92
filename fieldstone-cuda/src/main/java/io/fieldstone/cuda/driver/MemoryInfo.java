package io.fieldstone.cuda.driver;

/**
 * The memory usage of a device at one moment.
 *
 * @param freeBytes the unused memory
 * @param totalBytes the installed memory
 */
public record MemoryInfo(long freeBytes, long totalBytes) {}
