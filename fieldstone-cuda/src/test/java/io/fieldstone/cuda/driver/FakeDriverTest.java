package io.fieldstone.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs the contract on the fake driver with immediate streams. */
class FakeDriverTest extends DriverContract {
  private final FakeDriver fake = new FakeDriver(2).kernel(Proof.NAME, Proof.BYTES, Proof::fake);
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
