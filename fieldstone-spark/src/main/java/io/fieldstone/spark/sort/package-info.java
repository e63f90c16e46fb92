/**
 * Sorts binary records that are larger than the memory of the cluster. Begin with {@link
 * io.fieldstone.spark.sort.SortJob}.
 */
@NullMarked
package io.fieldstone.spark.sort;

import org.jspecify.annotations.NullMarked;
