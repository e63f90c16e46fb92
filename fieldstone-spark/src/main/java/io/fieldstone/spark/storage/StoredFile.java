package io.fieldstone.spark.storage;

import java.io.Serializable;

/**
 * A file of a file system.
 *
 * @param path the qualified path, with the scheme
 * @param name the name under the root that was listed, as the user gave it
 * @param relative the path relative to the root; the last part of the path if the root is a file
 * @param length the bytes
 * @param modified the time of the last change, in milliseconds since 1970
 */
public record StoredFile(String path, String name, String relative, long length, long modified)
    implements Serializable {}
