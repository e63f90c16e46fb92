/**
 * Parity beside files that stay as they are: protects sets of files, verifies and repairs them.
 *
 * <p>The operations are {@link io.fieldstone.rlnc.backup.Protector}, {@link
 * io.fieldstone.rlnc.backup.SetVerifier} and {@link io.fieldstone.rlnc.backup.SetRepairer}. All
 * files of a set are cut into blocks, which belong to generations in turn. So damage in one place
 * is spread over all generations. Byte layouts are in {@link io.fieldstone.rlnc.wire} and
 * docs/format.md. Memory depends on the shape of a set, not on its length.
 */
@NullMarked
package io.fieldstone.rlnc.backup;

import org.jspecify.annotations.NullMarked;
