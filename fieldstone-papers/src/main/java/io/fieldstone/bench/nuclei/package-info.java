/**
 * {@code bench nuclei}: the tables of Nuclei (Shojania, Li, Wang, INFOCOM 2009), Sec. IV and V.
 *
 * <p>{@link io.fieldstone.bench.nuclei.NucleiBenchmark} is the entry point. The package has a class
 * for each table of the paper, and the paper's figures.
 */
@NullMarked
package io.fieldstone.bench.nuclei;

import org.jspecify.annotations.NullMarked;
