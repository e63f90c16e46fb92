package io.fieldstone.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;

/** The contract on the fake, whose streams run their work at once. */
class FakeDriverTest extends DriverContract {
  private final FakeDriver fake = new FakeDriver(2).kernel(Proof.NAME, Proof.BYTES, Proof::twin);
  private final Driver driver = fake.driver();

  @Override
  Driver driver() {
    return driver;
  }

  @Override
  void lookBack() {
    assertThat(fake.leaks()).isEmpty();
    fake.close();
  }
}
