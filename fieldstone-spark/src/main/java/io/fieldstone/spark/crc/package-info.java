/**
 * Checksums of huge files and of many small ones. Begin with {@link
 * io.fieldstone.spark.crc.ChecksumJob}.
 */
@NullMarked
package io.fieldstone.spark.crc;

import org.jspecify.annotations.NullMarked;
