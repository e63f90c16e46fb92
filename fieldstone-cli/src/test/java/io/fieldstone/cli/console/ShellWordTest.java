package io.fieldstone.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShellWordTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          photos/parity-1.fst | photos/parity-1.fst
          grün | grün
          my parity | 'my parity'
          it's | 'it'\\''s'
          $HOME | '$HOME'
          """)
  void quotesWhatAShellWouldChange(String name, String word) {
    assertThat(ShellWord.of(Path.of(name))).isEqualTo(word);
  }
}
