/**
 * Encodes files into shards over several paths, decodes them, and makes lost shards again. Begin
 * with {@link io.fieldstone.spark.coding.EncodeJob}.
 */
@NullMarked
package io.fieldstone.spark.coding;

import org.jspecify.annotations.NullMarked;
