// The policies for immediate relays, which pass on blocks that they have not verified. At first they are mixed. Once a
// generation has had a wrong hash, each generation takes blocks of one of them, so that its polluters are few.

/** Mixes all immediate relays, in equal parts by speed. */
export class MixedRelays {
  /** @param {import('./scheduler.js').Scheduler} scheduler */
  constructor(scheduler) {
    this.scheduler = scheduler;
  }

  accepts(_generation, _relay) {
    return true;
  }

  isCandidate(_generation, _relay) {
    return true;
  }

  canTakeOver(_generation, _relay) {
    return true;
  }

  tookOver(_generation, _relay) {}

  /** Gives immediate relays, and others beside them, equal parts of a generation by speed. */
  prepare(generation) {
    const asked = [...this.scheduler.senders].filter((sender) => !sender.isSilent && !sender.isOnProbation);
    if (!asked.some((sender) => sender.isImmediate())) {
      return;
    }
    const blocks = generation.division.unassigned;
    const sum = asked.reduce((total, sender) => total + this.scheduler.speed(sender), 0);
    for (const sender of asked) {
      generation.division.give(sender, Math.trunc(blocks * this.scheduler.speed(sender) / sum));
    }
  }

  /** A relay is taken for as fast as the mean: it sends no more than it was asked for. */
  speed(relay) {
    return Math.max(this.scheduler.ownSpeed(relay), this.scheduler.meanSpeed());
  }
}

/** Takes blocks of each generation from one immediate relay only. */
export class SeparateRelays {
  /** @param {import('./scheduler.js').Scheduler} scheduler */
  constructor(scheduler) {
    this.scheduler = scheduler;
  }

  accepts(generation, relay) {
    generation.relay ??= relay;
    return generation.relay === relay;
  }

  isCandidate(generation, relay) {
    return generation.relay === relay;
  }

  canTakeOver(generation, relay) {
    return generation.relay === undefined || generation.relay === relay;
  }

  tookOver(generation, relay) {
    generation.relay = relay;
  }

  /** Chooses the relay with the fewest outstanding blocks. */
  prepare(generation) {
    if (generation.relay !== undefined) {
      return;
    }
    for (const sender of this.scheduler.senders) {
      if (sender.isImmediate() && !sender.isOnProbation
          && (generation.relay === undefined || sender.outstanding < generation.relay.outstanding)) {
        generation.relay = sender;
      }
    }
  }

  speed(relay) {
    return this.scheduler.ownSpeed(relay);
  }
}
