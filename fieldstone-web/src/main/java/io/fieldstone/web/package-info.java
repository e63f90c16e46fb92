/**
 * The receiver for browsers: modules in JavaScript, kernels in WebAssembly, a page. {@link
 * io.fieldstone.web.WebFiles} reads them.
 */
@NullMarked
package io.fieldstone.web;

import org.jspecify.annotations.NullMarked;
