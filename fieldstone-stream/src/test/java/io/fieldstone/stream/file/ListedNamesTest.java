package io.fieldstone.stream.file;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.URI;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListedNamesTest {

  @ParameterizedTest
  @CsvSource({
    "file:///f/%FF, /f/\\xff",
    "file:///f%20g/a$%5C%25+%C3%BC%FFb, /f g/a$\\%+\\xc3\\xbc\\xffb",
    "file:///%ED%A0%80/b, /\\xed\\xa0\\x80/b",
  })
  void aNameThatIsNotTextIsRefusedWithItsBytes(URI uri, String shown) {
    assertThatExceptionOfType(FileSystemException.class)
        .isThrownBy(() -> ListedNames.requireText(Path.of(uri)))
        .withMessageStartingWith(shown + ": name is not valid");
  }

  @Test
  void aRelativePathStaysRelative() {
    Path path = Path.of("/f").relativize(Path.of(URI.create("file:///f/g/%FF")));
    assertThatExceptionOfType(FileSystemException.class)
        .isThrownBy(() -> ListedNames.requireText(path))
        .withMessageStartingWith("g/\\xff: ");
  }

  @Test
  void textIsAccepted() {
    assertThatCode(() -> ListedNames.requireText(Path.of("f/a%FF b"))).doesNotThrowAnyException();
    assertThatCode(() -> ListedNames.requireText(Path.of(""))).doesNotThrowAnyException();
  }
}
