// The page that receives a file. A link is all that it needs: #object=ID&server=HOST:PORT,HASH[,HASH], with a server as
// often as there are some. With &publisher=KEY[,KEY] one of them must have signed the object, with &play it plays, and
// &live is for a live stream in place of an object. Without a server it is the one that the page comes from, which needs
// no HASH, and without an object all files of the servers are listed. Names come from servers, so they are only ever text.

import { Receiver } from './fieldstone.js';

/** The entries that are shown at once. */
const MAX_SHOWN = 500;

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

const MEDIA = /\.(mp4|m4v|m4a|webm|weba)$/i;

/** @param {string} id */
const element = (id) => /** @type {any} */ (document.getElementById(id));

const view = Object.fromEntries([
  'status', 'access', 'secrets', 'token', 'key', 'transfer', 'name', 'progress', 'amount', 'servers', 'cancel', 'save',
  'again', 'screen', 'video', 'playback', 'catalogue', 'filter', 'list', 'entries', 'more', 'live', 'figures', 'leave',
  'save-live', 'join',
].map((id) => [id, element(id)]));

/** @type {{name: string, length: number, id: string}[]} */
let entries = [];

/** @type {AbortController | undefined} */
let running;

function size(bytes) {
  const unit = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const digits = { maximumFractionDigits: unit === 0 ? 0 : 1 };
  return `${(bytes / 1000 ** unit).toLocaleString(undefined, digits)} ${UNITS[unit]}`;
}

function percent(part, whole) {
  return whole === 0 ? '–' : `${(100 * part / whole).toFixed(1)} %`;
}

function say(text, isWrong = false) {
  view.status.textContent = text;
  view.status.classList.toggle('wrong', isWrong);
}

/** Returns what the server says of itself that the page comes from; undefined if it comes from no server. */
async function own() {
  const response = await fetch('server.json', { cache: 'no-store' });
  if (!response.ok) {
    return undefined;
  }
  const { port, certificateHashes, streamUrl, content } = await response.json();
  return {
    url: `https://${location.hostname}:${port}`,
    certificateHashes,
    descriptionUrl: new URL('server.json', location.href).href,
    streamUrl: streamUrl === undefined ? undefined : new URL(streamUrl, location.href).href,
    isLive: content === 'stream',
  };
}

/**
 * Returns the servers of the link, or the one that the page comes from; and whether they have a live stream. If a link
 * names the one that the page comes from, it is asked for its certificates, and may use streams of HTTP.
 */
async function servers(link) {
  const named = link.getAll('server').map((text) => {
    const [address, ...certificateHashes] = text.split(',');
    return { url: address, certificateHashes };
  });
  if (named.length === 0) {
    const only = await own();
    if (only === undefined) {
      throw new Error('the link names no server: it has the form #object=ID&server=HOST:PORT,HASH');
    }
    return { servers: [only], isLive: only.isLive };
  }
  const isHere = ({ url }) => url.startsWith(`${location.hostname}:`);
  const here = named.some(isHere) ? await own().catch(() => undefined) : undefined;
  return {
    servers: named.map((each) => here !== undefined && here.url === `https://${each.url}` ? here : each),
    isLive: link.has('live'),
  };
}

async function receiver() {
  const link = new URLSearchParams(location.hash.slice(1));
  const [file] = view.key.files;
  return new Receiver({
    servers: (await servers(link)).servers,
    object: link.get('object') ?? undefined,
    publishers: link.getAll('publisher').flatMap((keys) => keys.split(',')),
    token: view.token.value || link.get('token') || '',
    key: file === undefined ? undefined : await file.text(),
  });
}

/** Runs an action, and shows its error. */
async function run(action) {
  try {
    await action();
  } catch (error) {
    if (error?.name === 'AbortError') {
      say('Cancelled.');
    } else {
      const full = error?.name === 'QuotaExceededError' ? 'the storage is full: ' : '';
      say(`Failed: ${full}${error.message}`, true);
      view.access.open ||= /token|key/.test(error.message);
    }
  }
}

// The catalogue

async function list() {
  view.catalogue.hidden = false;
  say('Asking for the files …');
  entries = [];
  const byId = new Map();
  for await (const entry of (await receiver()).list()) {
    if (!byId.has(`${entry.id} ${entry.name}`)) {
      byId.set(`${entry.id} ${entry.name}`, entry);
      entries.push(entry);
    }
  }
  entries.sort((a, b) => a.name < b.name ? -1 : 1);
  say(`${entries.length} ${entries.length === 1 ? 'file' : 'files'}`);
  showEntries();
}

function showEntries() {
  const wanted = view.filter.value.toLowerCase();
  const matching = entries.filter((entry) => entry.name.toLowerCase().includes(wanted));
  view.entries.replaceChildren(...matching.slice(0, MAX_SHOWN).map(entryRow));
  view.more.textContent = matching.length > MAX_SHOWN ? `and ${matching.length - MAX_SHOWN} more` : '';
}

function entryRow(entry) {
  const row = document.createElement('tr');
  cell(row, entry.name);
  cell(row, size(entry.length), 'number');
  const actions = cell(row, '');
  if (MEDIA.test(entry.name)) {
    button(actions, 'Play', entry.name, () => play(entry));
    actions.append(' ');
  }
  button(actions, 'Receive', entry.name, () => receive(entry));
  if (typeof (/** @type {any} */ (window).showSaveFilePicker) === 'function') {
    actions.append(' ');
    button(actions, 'Receive to disk', entry.name, () => receiveToDisk(entry));
  }
  return row;
}

function cell(row, text, className = '') {
  const added = document.createElement('td');
  added.textContent = text;
  added.className = className;
  row.append(added);
  return added;
}

function button(parent, text, name, action) {
  const added = document.createElement('button');
  added.type = 'button';
  added.textContent = text;
  added.setAttribute('aria-label', `${text}: ${name}`);
  added.addEventListener('click', () => run(action));
  parent.append(added);
}

// A transfer

async function receiveToDisk(entry) {
  const picked = await (/** @type {any} */ (window)).showSaveFilePicker({ suggestedName: fileName(entry.name) });
  await receive(entry, () => picked.createWritable());
}

function fileName(path) {
  return path.split('/').at(-1);
}

/**
 * Receives an object.
 * @param {{id: string, name?: string}} entry
 * @param {() => Promise<WritableStream | undefined>} [openSink] by default it is kept, and can be saved once complete
 */
function receive(entry, openSink = async () => undefined) {
  return transfer(entry, () => receive(entry, openSink), async (from, events) => {
    const result = await from.fetch(entry.id, { sink: await openSink(), ...events });
    if (result.blob !== undefined && MEDIA.test(result.name)) {
      view.screen.hidden = false;
      view.video.src = URL.createObjectURL(result.blob);
    }
    return result;
  });
}

/** Plays an object while it arrives, and keeps it. */
function play(entry) {
  return transfer(entry, () => play(entry), (from, events) => {
    view.screen.hidden = false;
    return from.play(entry.id, view.video, { keep: true, onPlayback: showPlayback, ...events });
  });
}

/** Runs a transfer that an action starts, and shows it. */
async function transfer(entry, again, start) {
  running?.abort();
  const control = new AbortController();
  running = control;
  view.transfer.hidden = false;
  view.save.hidden = true;
  view.again.hidden = true;
  view.screen.hidden = true;
  view.video.removeAttribute('src');
  view.video.load();
  view.playback.textContent = '';
  view.cancel.hidden = false;
  view.name.textContent = entry.name ?? entry.id;
  view.again.onclick = () => run(again);
  say('Connecting …');
  const begin = performance.now();
  try {
    const result = await start(await receiver(), {
      signal: control.signal,
      onStart: (object) => {
        view.name.textContent = object.name || object.id;
        say('Receiving …');
      },
      onProgress: (progress) => showProgress(progress, begin),
    });
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    const signed = result.publisher === '' ? '' : ` It is signed by ${result.publisher}.`;
    say(`Received ${size(result.length)} in ${seconds} s; every byte is verified.${signed}`);
    if (result.blob !== undefined) {
      offer(result);
    }
  } catch (error) {
    view.again.hidden = false;
    throw error;
  } finally {
    view.cancel.hidden = true;
  }
}

function showPlayback({ mode, problem, aheadSeconds, stalls }) {
  const state = view.video.error !== null ? `${problem}.`
      : mode === 'complete' ? `It plays once it is complete: ${problem}.`
      : problem !== '' ? `${problem}.`
      : `${aheadSeconds.toFixed(1)} s ahead, ${stalls} ${stalls === 1 ? 'stall' : 'stalls'}`;
  view.playback.textContent = state;
}

function showProgress(progress, begin) {
  view.progress.value = progress.total === 0 ? 0 : progress.done / progress.total;
  const seconds = (performance.now() - begin) / 1000;
  view.amount.textContent = progress.total === 0 ? ''
      : `${size(progress.done)} of ${size(progress.total)}, ${(8e-6 * progress.done / seconds).toFixed(0)} Mbit/s`
        + (progress.refetched > 0 ? `, ${progress.refetched} parts fetched again` : '');
  const all = progress.servers.reduce((sum, server) => sum + server.blocks, 0);
  view.servers.replaceChildren(...progress.servers.map((server) => {
    const row = document.createElement('tr');
    cell(row, server.name);
    cell(row, percent(server.blocks, all), 'number');
    cell(row, percent(server.lost, server.lost + server.blocks + server.redundant), 'number');
    const state = server.note === '' ? server.state : `${server.state}, ${server.note}`;
    cell(row, server.problem === '' || server.state === 'open' ? state : `${server.state}: ${server.problem}`);
    return row;
  }));
}

/** Offers a file that is complete. */
function offer({ blob, name, id }) {
  const address = URL.createObjectURL(blob);
  view.save.href = address;
  view.save.download = fileName(name || id);
  view.save.textContent = `Save ${fileName(name || id)}`;
  view.save.hidden = false;
}

// A live stream

/** The bytes of a live stream that are kept to be saved. */
const MAX_KEPT_BYTES = 512e6;

/** What a stream is by its first bytes: the suffix of its file, and whether a browser may play it. */
function formatOf(bytes) {
  const text = String.fromCharCode(...bytes.subarray(4, 8));
  const isWebm = bytes[0] === 0x1a && bytes[1] === 0x45 && bytes[2] === 0xdf && bytes[3] === 0xa3;
  return text === 'ftyp' ? { suffix: 'mp4', isFilm: true }
      : isWebm ? { suffix: 'webm', isFilm: true }
      : { suffix: bytes[0] === 0x47 ? 'ts' : 'bin', isFilm: false };
}

/** Plays a stream that begins as a film does, until packets of it are missing. */
class LivePlayer {
  static async open() {
    const { PlayerSink } = await import('./lib/media/player.js');
    return new LivePlayer(new PlayerSink(view.video, { startSeconds: 0.5, onPlayback: showPlayback }));
  }

  constructor(sink) {
    this.sink = sink;
    this.bytes = 0;
    this.isOpen = true;
    view.screen.hidden = false;
  }

  take(packet) {
    if (this.isOpen) {
      this.sink.write(this.bytes, packet.slice()).catch((error) => this.stop(error.message));
      this.bytes += packet.length;
    }
  }

  /** Goes on with what is there; what follows cannot be played. */
  stop(problem) {
    if (this.isOpen) {
      this.isOpen = false;
      view.playback.textContent = problem;
      this.sink.abort(new Error(problem));
    }
  }

  end() {
    if (this.isOpen) {
      this.isOpen = false;
      this.sink.close().catch(() => {});
    }
  }
}

/** Receives the stream of the servers until it ends, or until the reader leaves it. */
async function receiveLive() {
  running?.abort();
  const control = new AbortController();
  running = control;
  view.live.hidden = false;
  view.leave.hidden = false;
  view.join.hidden = true;
  view['save-live'].hidden = true;
  view.screen.hidden = true;
  say('Connecting …');
  const parts = [];
  let keptBytes = 0;
  let suffix = '';
  /** @type {LivePlayer | undefined} */
  let player;
  try {
    const reader = (await receiver()).stream({
      signal: control.signal,
      onProgress: showLive,
      onGap: () => player?.stop('Packets are missing, so it cannot be played on.'),
    }).getReader();
    for (let { value, done } = await reader.read(); !done; { value, done } = await reader.read()) {
      if (suffix === '') {
        const format = formatOf(value);
        ({ suffix } = format);
        player = format.isFilm ? await LivePlayer.open() : undefined;
        say('Receiving …');
      }
      player?.take(value);
      if (keptBytes + value.length <= MAX_KEPT_BYTES) {
        keptBytes += value.length;
        parts.push(value);
      }
    }
    player?.end();
    say('The stream has ended.');
  } catch (error) {
    player?.stop(error.name === 'AbortError' ? '' : error.message);
    throw error.name === 'AbortError' ? new DOMException('left', 'AbortError') : error;
  } finally {
    view.leave.hidden = true;
    view.join.hidden = false;
    if (keptBytes > 0) {
      view['save-live'].href = URL.createObjectURL(new Blob(parts));
      view['save-live'].download = `stream.${suffix}`;
      view['save-live'].hidden = false;
    }
  }
}

let lastLive = { bytes: 0, millis: 0 };

function showLive(progress) {
  const { server, problem, packets, sources, bytes, lost, repaired, residual, repairs, dropped } = progress;
  const now = performance.now();
  const rate = Math.max(0, 8e-3 * (bytes - lastLive.bytes) / (now - lastLive.millis));
  lastLive = { bytes, millis: now };
  const figures = [
    ['Server', server || problem || 'none'],
    ['Packets', `${packets.toLocaleString()}, ${size(bytes)}, ${rate.toFixed(1)} Mbit/s`],
    ['Added delay', `median ${progress.delayMillis50.toFixed(1)} ms, 99 % ${progress.delayMillis99.toFixed(1)} ms`],
    ['Lost on the path', `${percent(lost, sources + residual)}, ${repaired} of ${lost} repaired`],
    ['Not passed on', percent(residual, sources + residual)],
    ['Redundancy', `${percent(repairs, sources + residual)}, ${repairs} repairs`],
  ];
  if (dropped > 0) {
    figures.push(['Dropped here', `${dropped} packets`]);
  }
  view.figures.replaceChildren(...figures.flatMap(([name, value]) => {
    const term = document.createElement('dt');
    term.textContent = name;
    const description = document.createElement('dd');
    description.textContent = value;
    return [term, description];
  }));
}

view.leave.addEventListener('click', () => running?.abort());
view.join.addEventListener('click', () => run(receiveLive));
view.filter.addEventListener('input', showEntries);
view.list.addEventListener('click', () => run(list));
view.cancel.addEventListener('click', () => running?.abort());

async function open() {
  const link = new URLSearchParams(location.hash.slice(1));
  const id = link.get('object');
  if (id === null && (await servers(link)).isLive) {
    return receiveLive();
  }
  return id === null ? list() : link.has('play') ? play({ id }) : receive({ id });
}

view.secrets.addEventListener('submit', (event) => {
  event.preventDefault();
  run(open);
});
addEventListener('hashchange', () => run(open));
run(open);
