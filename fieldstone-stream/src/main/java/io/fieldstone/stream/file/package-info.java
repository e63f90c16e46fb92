/**
 * Files for jobs: read and written at positions by several threads, with exceptions that name the
 * file, and without partial outputs.
 */
@NullMarked
package io.fieldstone.stream.file;

import org.jspecify.annotations.NullMarked;
