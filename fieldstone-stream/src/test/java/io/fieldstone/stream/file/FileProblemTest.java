package io.fieldstone.stream.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class FileProblemTest {

  @Test
  void namesTheFileAndTheReason() {
    assertThat(FileProblem.text(new AccessDeniedException("a"))).isEqualTo("a: permission denied");
    assertThat(FileProblem.text(new NoSuchFileException("a")))
        .isEqualTo("a: no such file or directory");
    assertThat(FileProblem.text(new FileSystemException("a", null, "is full")))
        .isEqualTo("a: is full");
    assertThat(FileProblem.text(new FileSystemException("a", null, "Is a directory")))
        .isEqualTo("a: is a directory");
    assertThat(FileProblem.reasonFirst(new FileAlreadyExistsException("a")))
        .isEqualTo("already exists: a");
    assertThat(FileProblem.text(new FileSystemException("a")))
        .isEqualTo("a: cannot be read or written");
    assertThat(FileProblem.text(new IOException("b"))).isEqualTo("b");
    assertThat(FileProblem.text(new EOFException())).isEqualTo("EOFException");
  }
}
