/**
 * Fetches an object from any number of servers and relays at once: {@link
 * io.fieldstone.net.fetch.Fetch}. Its {@code Transfer} connects ({@code ServerLinks}), finds the
 * object ({@code ObjectQuery}), and downloads its hashes and blocks ({@code HashDownload}, {@code
 * BlockDownload}) under one lock, that of {@code TransferState}.
 */
@NullMarked
package io.fieldstone.net.fetch;

import org.jspecify.annotations.NullMarked;
