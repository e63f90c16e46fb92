// Finds senders that deliver nothing while others wait for them. A silent sender is not asked for a pause, which
// doubles with each silence (exponential back-off). Times are reports to it.

import { ORIGIN } from './senders.js';

/** The reports after which a sender counts as silent: two to three round trips. */
const MAX_SILENT_REPORTS = 12;

/** The same for a relay, which may have to ask others first. */
const MAX_SILENT_REPORTS_OF_RELAY = 48;

const MAX_PAUSE_DOUBLINGS = 6;

function maxReports(sender) {
  return sender.kind === ORIGIN ? MAX_SILENT_REPORTS : MAX_SILENT_REPORTS_OF_RELAY;
}

/** Notes an innovative block: it ends a silence, and as many as a generation has halve the next pause. */
export function noteDelivery(sender, blocks, innovative) {
  endSilence(sender, innovative);
  sender.isSilent = false;
  if (++sender.deliveredOfPause >= blocks) {
    sender.deliveredOfPause = 0;
    sender.silences = Math.min(sender.silences, MAX_PAUSE_DOUBLINGS) >> 1;
  }
}

function endSilence(sender, innovative) {
  sender.quietReports = 0;
  sender.awaitedReports = 0;
  sender.innovativeOfAll = innovative;
}

/**
 * Counts a report to a sender; returns true if it is found to be silent now.
 * @param {import('./senders.js').Sender} sender
 * @param {import('./senders.js').Senders} senders
 * @param {import('./open-generation.js').OpenGeneration[]} open
 * @param {number} innovative the innovative blocks that have arrived from all senders
 */
export function isFoundSilent(sender, senders, open, innovative) {
  if (sender.outstanding === 0) {
    if (sender.isSilent
        && ++sender.pausedReports > MAX_SILENT_REPORTS << Math.min(sender.silences, MAX_PAUSE_DOUBLINGS)) {
      sender.pausedReports = 0;
      sender.isSilent = false;
    }
    endSilence(sender, innovative);
    return false;
  }
  sender.quietReports++;
  if (!isAwaited(sender, senders, open)) {
    sender.awaitedReports = 0;
    return false;
  }
  sender.awaitedReports++;
  if (sender.awaitedReports <= maxReports(sender) || senders.count() < 2) {
    return false;
  }
  sender.awaitedReports = 0;
  sender.silences++;
  sender.deliveredOfPause = 0;
  sender.isSilent = true;
  return true;
}

/** Returns true if all blocks to come of an open generation are those of one sender, and of silent ones. */
function isAwaited(sender, senders, open) {
  return open.some(({ division }) => {
    if (division.of(sender) === 0) {
      return false;
    }
    for (const other of senders) {
      if (other !== sender && division.of(other) > 0 && other.quietReports <= maxReports(other)) {
        return false;
      }
    }
    return true;
  });
}

/**
 * Returns true if the shares of a silent sender should go to others: they deliver, or one of them is asked for nothing.
 */
export function canOthersDeliver(silent, senders, innovative) {
  if (innovative > silent.innovativeOfAll) {
    return true;
  }
  for (const sender of senders) {
    if (sender.outstanding === 0 && !sender.isSilent) {
      return true;
    }
  }
  return false;
}
