package io.fieldstone.rlnc.object;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.testing.OpenResources;
import org.junit.jupiter.api.Test;

class RowsTest {

  @Test
  void aFailedAllocationFreesTheOneBeforeIt() throws Exception {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Dense(), 4, 10);
    try (Engine scalar = Engine.open("cpu:scalar")) {
      OpenResources.assertNoneLeft(scalar, engine -> new Rows(engine, shape));
    }
  }
}
