package io.fieldstone.cpu.coding;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.field.Gf256;

/** The oracle of substitution: HPDS, Eq. 1, by frame and symbol. */
public final class ScalarSubstitution implements SubstitutionKernel {

  private final Gf256 field;

  public ScalarSubstitution(Gf256 field) {
    this.field = field;
  }

  @Override
  public void solve(int n, int columns, Rows lower, RightSide right, Rows solution) {
    for (int s = 0; s < n; s++) {
      int diagonal = byteAt(lower.at(s) + s);
      for (int c = 0; c < columns; c++) {
        int rest = byteAt(right.at(s) + c);
        for (int i = 0; i < s; i++) {
          rest ^= field.multiply(byteAt(lower.at(s) + i), byteAt(solution.at(i) + c));
        }
        MEMORY.set(JAVA_BYTE, solution.at(s) + c, (byte) field.divide(rest, diagonal));
      }
    }
  }

  private static int byteAt(long at) {
    return MEMORY.get(JAVA_BYTE, at) & 0xFF;
  }
}
