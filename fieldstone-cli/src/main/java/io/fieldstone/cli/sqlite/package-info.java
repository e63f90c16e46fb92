/**
 * SQLite databases in memory, by the library of the system: for GeoPackage. Knows nothing of what
 * is in them.
 */
@NullMarked
package io.fieldstone.cli.sqlite;

import org.jspecify.annotations.NullMarked;
