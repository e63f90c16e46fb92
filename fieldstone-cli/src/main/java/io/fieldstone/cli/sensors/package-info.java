/**
 * Lists of sensors and plans of relays as files: CSV and GeoJSON, in and out. What is read is
 * checked row by row; what is wrong is a {@link
 * io.fieldstone.cli.sensors.MalformedSensorsException} that says where. Nothing here prints.
 */
@NullMarked
package io.fieldstone.cli.sensors;

import org.jspecify.annotations.NullMarked;
