/**
 * A default file system that counts every operation that changes the disk, and fails or ends the
 * process at one of them. It stands on {@code java.base} alone: a JVM loads it before the program
 * ({@code -Djava.nio.file.spi.DefaultFileSystemProvider=io.fieldstone.faults.FaultyProvider}).
 */
package io.fieldstone.faults;
