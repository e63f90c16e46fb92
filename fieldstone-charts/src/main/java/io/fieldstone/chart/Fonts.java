package io.fieldstone.chart;

import java.awt.Font;
import java.awt.font.FontRenderContext;
import java.awt.font.TextLayout;

/** Tests for the fonts of the machine, which charts and rendered text need. */
public final class Fonts {

  private Fonts() {}

  /**
   * Tests whether the Java runtime can measure and draw text. It cannot if the desktop module, its
   * native libraries, the fonts or their configuration are missing; each failure differs.
   * Thread-safe. The first call loads the fonts, in tenths of a second.
   */
  public static boolean arePresent() {
    return Probe.SUCCEEDED;
  }

  /** Holds the answer, because a runtime that has failed to load fonts fails differently next. */
  private static final class Probe {

    static final boolean SUCCEEDED = succeeds();

    private static boolean succeeds() {
      try {
        Font font = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
        return new TextLayout("0", font, new FontRenderContext(null, true, true)).getAdvance() > 0;
      } catch (LinkageError | InternalError | RuntimeException noFonts) {
        return false;
      }
    }
  }
}
