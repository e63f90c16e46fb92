/**
 * Small HTTP servers of the JDK, with bounds of connections and times. Read {@link
 * io.fieldstone.net.http.PageServer} first.
 */
@NullMarked
package io.fieldstone.net.http;

import org.jspecify.annotations.NullMarked;
