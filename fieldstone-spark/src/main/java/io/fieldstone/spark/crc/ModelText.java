package io.fieldstone.spark.crc;

import io.fieldstone.crc.CrcModel;
import io.fieldstone.crc.CrcValue;
import java.io.Serializable;

/** A CRC algorithm as text, which Spark sends to executors. */
record ModelText(
    String name, int width, String poly, String init, boolean refin, boolean refout, String xorout)
    implements Serializable {

  static ModelText of(CrcModel model) {
    return new ModelText(
        model.name(),
        model.width(),
        model.poly().toString(),
        model.init().toString(),
        model.refin(),
        model.refout(),
        model.xorout().toString());
  }

  CrcModel model() {
    return new CrcModel(
        name,
        CrcValue.parse(width, poly),
        CrcValue.parse(width, init),
        refin,
        refout,
        CrcValue.parse(width, xorout));
  }
}
