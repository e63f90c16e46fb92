package example;

// page begin
import io.fieldstone.engine.Engine;
import io.fieldstone.weights.JointWeights;
import io.fieldstone.weights.codes.CodeFamily;
import java.math.BigInteger;

final class Weights {

  private Weights() {}

  // example begin
  static BigInteger wordsOfWeight(Engine engine, String code, int weight) {
    return JointWeights.of(CodeFamily.parse(code), engine).single().count(weight);
  }
  // example end
}
// page end
