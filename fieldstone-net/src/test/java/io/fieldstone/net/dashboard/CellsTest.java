package io.fieldstone.net.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.Collections;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CellsTest {

  private static final int BLOCKS = 4;
  private static final int BLOCK_SIZE = 10;

  private static ObjectManifest manifest(long blocks) {
    return new ObjectManifest(
        new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), BLOCKS, BLOCK_SIZE),
        blocks * BLOCK_SIZE,
        Optional.empty(),
        Sha256.of(new byte[Sha256.BYTES]));
  }

  @Test
  void aCellIsAsFullAsItsGeneration() {
    Cells cells = new Cells(manifest(3 * BLOCKS - 1));
    cells.add(0, 4);
    cells.add(1, 1);
    cells.add(2, 2);

    assertThat(cells.percents()).containsExactly(100, 25, 66);

    cells.add(2, 5);
    assertThat(cells.percents()).containsExactly(100, 25, 100);
  }

  /** Every generation is in one cell, and all of them fill every cell. */
  @ParameterizedTest
  @ValueSource(ints = {1, 255, 256, 257, 511, 512, 1000, 100_003})
  void cellsOfManyGenerationsFillWithThem(int generations) {
    Cells cells = new Cells(manifest((long) generations * BLOCKS - 3));
    for (int generation = 0; generation < generations - 1; generation++) {
      cells.add(generation, BLOCKS);
    }
    assertThat(cells.percents().getLast()).isLessThan(100);

    cells.add(generations - 1, 1);

    assertThat(cells.percents())
        .hasSize(Math.min(generations, Cells.MAX_CELLS))
        .isEqualTo(Collections.nCopies(cells.percents().size(), 100));
  }

  @Test
  void anEmptyObjectHasNoCells() {
    assertThat(new Cells(manifest(0)).percents()).isEmpty();
  }
}
