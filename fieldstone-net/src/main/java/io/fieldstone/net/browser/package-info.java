/**
 * Accepts browsers as clients: pages, WebTransport, streams of HTTP. Read {@link
 * io.fieldstone.net.browser.BrowserEndpoint} first.
 */
@NullMarked
package io.fieldstone.net.browser;

import org.jspecify.annotations.NullMarked;
