/**
 * Who a peer is: {@link io.fieldstone.net.trust.Identity}, a private key with a self-signed
 * certificate in a file, and {@link io.fieldstone.net.trust.Fingerprint}, by which other peers know
 * it.
 */
@NullMarked
package io.fieldstone.net.trust;

import org.jspecify.annotations.NullMarked;
