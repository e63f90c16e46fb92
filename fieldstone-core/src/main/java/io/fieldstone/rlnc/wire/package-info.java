/**
 * The bytes of coded blocks, objects and shards (docs/format.md): parsing that trusts no length,
 * and writing.
 */
@NullMarked
package io.fieldstone.rlnc.wire;

import org.jspecify.annotations.NullMarked;
