package io.fieldstone.net.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.impairment.Lateness;
import io.fieldstone.net.impairment.Loss;
import io.fieldstone.net.session.VirtualTransfer.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole transfers over paths on which packets overtake each other, in virtual time. */
class LatePathTest {

  private static final Lateness LATE = new Lateness(0.3, 80_000_000, 200_000_000);

  private static Impairment delay(long rttMillis) {
    return Impairment.NONE.withDelay(rttMillis * 500_000, 0);
  }

  private static Impairment down(int megabits, long rttMillis) {
    int bytesPerSecond = megabits * 125_000;
    return delay(rttMillis).withRate(bytesPerSecond, Math.max(60_000, bytesPerSecond / 33));
  }

  private static VirtualTransfer.Result transfer(int megabits, Impairment down, Impairment up)
      throws Exception {
    return new VirtualTransfer(5 * megabits, 1).run(new Path(down, up));
  }

  /** Late by many round trips; reports are late, too. Late packets are not sent again. */
  @ParameterizedTest
  @CsvSource({"20, 5", "40, 20", "50, 60"})
  void aPathOnWhichThreeInTenPacketsAreLateTakesHardlyLonger(int megabits, long rttMillis)
      throws Exception {
    Impairment down = down(megabits, rttMillis);
    Impairment up = delay(rttMillis);
    VirtualTransfer.Result clean = transfer(megabits, down, up);
    VirtualTransfer.Result late =
        transfer(megabits, down.withLateness(LATE), up.withLateness(LATE));
    assertThat(late.seconds() / clean.seconds())
        .as("%s after %s", late, clean)
        .isLessThanOrEqualTo(1.3);
    assertThat(late.received()).isLessThanOrEqualTo(1.1);
  }

  /** The loss of the path is known although late packets are missing as lost ones are. */
  @ParameterizedTest
  @CsvSource({"40, 60", "50, 20"})
  void lossDoesNotSlowAPathOnWhichPacketsAreLate(int megabits, long rttMillis) throws Exception {
    Impairment down = down(megabits, rttMillis);
    Impairment up = delay(rttMillis);
    VirtualTransfer.Result clean = transfer(megabits, down, up);
    VirtualTransfer.Result late =
        transfer(
            megabits, down.withLateness(LATE).withLoss(Loss.random(0.05)), up.withLateness(LATE));
    assertThat(late.seconds() / clean.seconds())
        .as("%s after %s", late, clean)
        .isLessThanOrEqualTo(1.4);
  }
}
