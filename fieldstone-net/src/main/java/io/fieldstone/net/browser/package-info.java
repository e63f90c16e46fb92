/**
 * What browsers need of a server: pages, and where WebTransport listens. Read {@link
 * io.fieldstone.net.browser.BrowserPages} first.
 */
@NullMarked
package io.fieldstone.net.browser;

import org.jspecify.annotations.NullMarked;
