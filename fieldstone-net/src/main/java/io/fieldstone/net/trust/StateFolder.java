package io.fieldstone.net.trust;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes the folders in which servers, relays and clients keep their state. */
public final class StateFolder {

  private StateFolder() {}

  /**
   * Makes a folder and its parents, if they are absent.
   *
   * @throws FileSystemException if something else has its name
   * @throws IOException if it cannot be made
   */
  public static void make(Path folder) throws IOException {
    try {
      Files.createDirectories(folder);
    } catch (FileAlreadyExistsException e) {
      throw new FileSystemException(folder.toString(), null, "not a directory");
    }
  }
}
