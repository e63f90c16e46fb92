/**
 * The jobs of Fieldstone on Apache Spark. Each divides the work of a job of the core into tasks:
 * ranges of generations, ranges of bytes, slices of a transform, ranges of keys. Spark schedules,
 * moves and repeats them. The results are those of the command, bit by bit.
 *
 * <p>{@code coding}, {@code crc}, {@code weights} and {@code sort} have a job each, and {@code app}
 * the application for {@code spark-submit}. Begin reading with {@link
 * io.fieldstone.spark.crc.ChecksumJob}.
 */
@NullMarked
package io.fieldstone.spark;

import org.jspecify.annotations.NullMarked;
