package io.fieldstone.cli.crc;

import io.fieldstone.cli.console.TextTable;
import io.fieldstone.crc.CrcCatalogue;
import io.fieldstone.crc.CrcModel;
import io.fieldstone.crc.CrcNotation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The catalogue of CRCs, and one of them in full, in words. */
final class CrcListing {

  private CrcListing() {}

  /** All algorithms, a line each. */
  static String catalogue() {
    TextTable table =
        new TextTable()
            .text("name")
            .number("width")
            .text("poly")
            .text("init")
            .text("refin")
            .text("refout")
            .text("xorout")
            .text("check")
            .text("also called");
    for (CrcCatalogue.Entry entry : CrcCatalogue.entries()) {
      CrcModel model = entry.model();
      table.row(
          model.name(),
          model.width(),
          model.poly(),
          model.init(),
          model.refin(),
          model.refout(),
          model.xorout(),
          entry.check(),
          String.join(", ", entry.aliases()));
    }
    return table.toString();
  }

  /** An algorithm as {@code --json} prints it. */
  record Algorithm(
      String name,
      List<String> aliases,
      int width,
      Map<String, String> poly,
      String init,
      boolean refin,
      boolean refout,
      String xorout,
      String check,
      String residue) {

    /** A model of the catalogue or another. */
    static Algorithm of(CrcModel model) {
      return CrcCatalogue.find(model.name())
          .map(Algorithm::of)
          .orElseGet(() -> of(model, List.of()));
    }

    /** One of the catalogue. */
    static Algorithm of(CrcCatalogue.Entry entry) {
      return of(entry.model(), entry.aliases());
    }

    private static Algorithm of(CrcModel model, List<String> aliases) {
      Map<String, String> poly = new LinkedHashMap<>();
      for (CrcNotation notation : CrcNotation.values()) {
        poly.put(notation.toString(), notation.of(model.poly()).toString());
      }
      return new Algorithm(
          model.name(),
          aliases,
          model.width(),
          poly,
          model.init().toString(),
          model.refin(),
          model.refout(),
          model.xorout().toString(),
          model.check().toString(),
          model.residue().toString());
    }

    /** All that there is to say. */
    String text() {
      TextTable table = new TextTable().text("").text("").row("name", name);
      if (!aliases.isEmpty()) {
        table.row("also called", String.join(", ", aliases));
      }
      table.row("width", width);
      poly.forEach((notation, written) -> table.row("poly, " + notation, written));
      return table
          .row("init", init)
          .row("refin", refin)
          .row("refout", refout)
          .row("xorout", xorout)
          .row("check", check)
          .row("residue", residue)
          .toString();
    }
  }
}
