package io.fieldstone.rlnc.backup;

import java.nio.file.Path;
import java.util.BitSet;

/**
 * A volume as it was found.
 *
 * @param path the file, or the place of a missing one
 * @param exists whether there is a file
 * @param damagedPages the pages of the manifest that are damaged; not copied
 */
record Volume(Path path, boolean exists, BitSet damagedPages) {}
