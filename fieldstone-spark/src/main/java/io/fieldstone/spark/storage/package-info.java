/**
 * Files of Hadoop's file systems: lists, ranges, and results that appear under their names only
 * when they are complete. Begin with {@link io.fieldstone.spark.storage.Storage}.
 */
@NullMarked
package io.fieldstone.spark.storage;

import org.jspecify.annotations.NullMarked;
