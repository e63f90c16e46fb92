/**
 * Writes the results of a benchmark: tables and charts as text, Markdown, CSV and SVG.
 *
 * <p>{@link io.fieldstone.bench.report.Report} is the entry point; {@link
 * io.fieldstone.bench.report.ReportFolder} and {@link io.fieldstone.bench.report.ReportPrinter}
 * write it part by part. The package has values and their formats, and no measurements.
 */
@NullMarked
package io.fieldstone.bench.report;

import org.jspecify.annotations.NullMarked;
