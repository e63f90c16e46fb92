/**
 * Files as jobs need them: read and written at positions by several threads, errors that name the
 * file, and nothing half-written left behind.
 */
@NullMarked
package io.fieldstone.stream.file;

import org.jspecify.annotations.NullMarked;
