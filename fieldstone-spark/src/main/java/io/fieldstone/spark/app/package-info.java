/**
 * The application for {@code spark-submit}, with a subcommand for each job. Begin with {@link
 * io.fieldstone.spark.app.Main}.
 */
@NullMarked
package io.fieldstone.spark.app;

import org.jspecify.annotations.NullMarked;
