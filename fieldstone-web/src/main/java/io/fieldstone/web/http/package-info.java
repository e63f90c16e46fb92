/**
 * Small HTTP servers of the JDK, with bounds of connections and times. Read {@link
 * io.fieldstone.web.http.PageServer} first.
 */
@NullMarked
package io.fieldstone.web.http;

import org.jspecify.annotations.NullMarked;
