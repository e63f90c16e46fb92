/**
 * The byte formats of coded blocks, objects and shards (docs/format.md). Parsing trusts no length.
 */
@NullMarked
package io.fieldstone.rlnc.wire;

import org.jspecify.annotations.NullMarked;
