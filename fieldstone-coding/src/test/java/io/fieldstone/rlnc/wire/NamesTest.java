package io.fieldstone.rlnc.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {

  @ParameterizedTest
  @ValueSource(strings = {"a", "…", "..a", ".a", "a..", "ä", "😀", "a b", "\u001b", "a\\b"})
  void aNameIsAnyText(String name) {
    assertThat(Names.utf8(name)).isEqualTo(name.getBytes(StandardCharsets.UTF_8));
    assertThat(Names.pathUtf8(name + "/" + name))
        .isEqualTo((name + "/" + name).getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", ".."})
  void foldersAreNoNames(String name) {
    String problem = "'" + name + "' is not a file name";
    assertThatIllegalArgumentException().isThrownBy(() -> Names.utf8(name)).withMessage(problem);
    for (String path : new String[] {"a/" + name, name + "/a", "a/" + name + "/b"}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Names.pathUtf8(path))
          .withMessage(problem);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ud83d", "\ude00", "\ude00\ud83d", "a\ud83d"})
  void anUnpairedSurrogateIsRefused(String name) {
    for (String path : new String[] {name, name + "/\ude00", "a/" + name}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Names.pathUtf8(path))
          .withMessage("the file name has an unpaired surrogate");
    }
  }

  @Test
  void charactersAreNamedWithTheirPlace() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Names.utf8("ab/c"))
        .withMessage("the file name has U+002F at position 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Names.pathUtf8("ab/c\0"))
        .withMessage("the file name has U+0000 at position 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Names.requireOffered("ab/c\u001b"))
        .withMessage("the file name has U+001B at position 4");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Names.requireOffered("a\\b"))
        .withMessage("the file name has U+005C at position 1");
  }

  @Test
  void lengthsAreThoseInUtf8() {
    for (String one : new String[] {"a", "ä", "…", "😀"}) {
      int bytes = one.getBytes(StandardCharsets.UTF_8).length;
      String longest = one.repeat(Names.MAX_BYTES / bytes) + "a".repeat(Names.MAX_BYTES % bytes);
      assertThat(Names.utf8(longest)).hasSize(Names.MAX_BYTES);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Names.utf8(longest + "a"))
          .withMessage("file name of 256 bytes, more than 255");
    }
    String longest = "ä/".repeat(1365) + "a";
    assertThatCode(() -> Names.requireOffered(longest)).doesNotThrowAnyException();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Names.requireOffered(longest + "a"))
        .withMessage("path of 4097 bytes, more than 4096");
  }
}
