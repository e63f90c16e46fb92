/** Tests of carrier and pacing together, over real QUIC through an impaired link. */
package io.fieldstone.net.path;
