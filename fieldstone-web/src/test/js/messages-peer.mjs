// Reads messages of a sender from standard input, a line of hexadecimal digits each, and writes what they say, a line
// of JSON each; then the messages of a receiver that the last part of BrowserMessagesTest expects.

import { createInterface } from 'node:readline';
import * as messages from '../../main/resources/io/fieldstone/web/lib/messages.js';
import { toHex } from '../../main/resources/io/fieldstone/web/lib/bytes.js';

function described(key, value) {
  return value instanceof Uint8Array ? toHex(value) : key === 'manifest' ? toHex(value.bytes) : value;
}

for await (const line of createInterface(process.stdin)) {
  try {
    console.log(JSON.stringify(messages.parse(Uint8Array.from(Buffer.from(line, 'hex'))), described));
  } catch (error) {
    console.log(error.name);
  }
}
const written = [
  messages.hello('geheim–ü'),
  messages.listRequest(),
  messages.find('Filme/größe.mkv'),
  messages.hashesRequest(16_383, 512, 1900),
  messages.pacing(5_000_000),
  messages.polluted(1, 2),
  messages.open('ab'.repeat(32)),
];
written.forEach((message) => console.log(toHex(message)));
