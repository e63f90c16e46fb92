/** Files to shards, shards to shards, shards to files: streaming, in bounded memory. */
@NullMarked
package io.fieldstone.rlnc.file;

import org.jspecify.annotations.NullMarked;
