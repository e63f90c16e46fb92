/**
 * Writes the results of a benchmark: tables and charts as text, Markdown, CSV and SVG.
 *
 * <p>{@link io.fieldstone.bench.report.Report} is the entry point; {@link
 * io.fieldstone.bench.report.ReportFolder} and {@link io.fieldstone.bench.report.ReportPrinter}
 * write it part by part. The package has values and their formats, and no measurements.
 *
 * <p>{@code GanttSvg} draws timelines, of which XChart has none: JFreeChart would be a second
 * library of charts, needs fonts, shows no durations, and its file is twice as large.
 */
@NullMarked
package io.fieldstone.bench.report;

import org.jspecify.annotations.NullMarked;
