// Numbers as people read them. Unknown values are null, and become a dash.

const DASH = '–';

function scaled(value, units, base) {
  let at = 0;
  while (value >= base && at < units.length - 1) {
    value /= base;
    at++;
  }
  const digits = value >= 100 || at === 0 ? 0 : value >= 10 ? 1 : 2;
  return [value.toFixed(digits), units[at]];
}

/** A rate of bytes a second, in bits as links are sold: number and unit. */
export function rateParts(bytesPerSecond) {
  return bytesPerSecond === null
    ? [DASH, '']
    : scaled(8 * bytesPerSecond, ['bit/s', 'kbit/s', 'Mbit/s', 'Gbit/s', 'Tbit/s'], 1000);
}

export function rate(bytesPerSecond) {
  return rateParts(bytesPerSecond).join(' ').trim();
}

export function bytes(value) {
  return scaled(value, ['B', 'kB', 'MB', 'GB', 'TB', 'PB'], 1000).join(' ');
}

export function count(value) {
  return value.toLocaleString('en');
}

export function percent(share) {
  if (share === null) {
    return DASH;
  }
  const value = 100 * share;
  return `${value === 0 ? 0 : value < 10 ? value.toFixed(2) : value.toFixed(1)} %`;
}

export function millis(value) {
  return value === null ? DASH : `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;
}

export function duration(seconds) {
  if (!seconds) {
    return DASH;
  }
  const s = Math.floor(seconds);
  if (s < 60) {
    return `${s} s`;
  }
  if (s < 3600) {
    return `${Math.floor(s / 60)} min ${s % 60} s`;
  }
  const h = Math.floor(s / 3600);
  return h < 48 ? `${h} h ${Math.floor((s % 3600) / 60)} min` : `${Math.floor(h / 24)} days`;
}

/** A number with its noun. */
export function plural(value, noun) {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}
