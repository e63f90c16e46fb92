/**
 * Pages for browsers: the receiver with its modules and kernels, and the dashboard. {@link
 * io.fieldstone.web.WebFiles} reads them.
 */
@NullMarked
package io.fieldstone.web;

import org.jspecify.annotations.NullMarked;
