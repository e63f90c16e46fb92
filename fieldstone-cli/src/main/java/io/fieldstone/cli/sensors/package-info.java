/**
 * Reads lists of sensors and writes plans of relays, as CSV, GeoJSON, KML and GeoPackage. Each row
 * is checked; a {@link io.fieldstone.cli.sensors.MalformedSensorsException} names the line or
 * feature. Classes here do not print.
 */
@NullMarked
package io.fieldstone.cli.sensors;

import org.jspecify.annotations.NullMarked;
