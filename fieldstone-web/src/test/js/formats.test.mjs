// Known answers of docs/format.md, which has the script that computes them, and of Random123.

import assert from 'node:assert/strict';
import test from 'node:test';
import { ByteReader, ByteWriter, fromHex, MalformedDataError, toHex } from '../../main/resources/io/fieldstone/web/lib/bytes.js';
import { Code } from '../../main/resources/io/fieldstone/web/lib/codes.js';
import { Decryption, readKey } from '../../main/resources/io/fieldstone/web/lib/decryption.js';
import { GenerationHashes, HashTree } from '../../main/resources/io/fieldstone/web/lib/hash-tree.js';
import { Manifest } from '../../main/resources/io/fieldstone/web/lib/manifest.js';
import { philox } from '../../main/resources/io/fieldstone/web/lib/philox.js';
import { readHeader } from '../../main/resources/io/fieldstone/web/lib/packet.js';
import { ScalarKernels } from '../../main/resources/io/fieldstone/web/lib/scalar-kernels.js';
import { hex, wasmKernels } from './support.mjs';

const MANIFEST = hex(`
    4653544f424a0002010201000000000200000010000000000000000000000000
    00000064768fa371e793ec67b0c625a50dd99e8066e2d7eaa1f3ccf0f90fe582 79b38295`);

const HASHES = hex(`
    fbd9423bcf1e51ec54b19e2dd5cc01bb38e330801b38a7d6f5c59774d59d2d92
    48e5124ccfcb89db06c7627c88b047171b9603d2b1fbc2b801208fe917e5595c
    295ce84989aa5d62f36eb1d4b1d242d426c65dbbcf2d81ed016c6c80bef7ff84
    f79d0b40beec1ddf27fc815f8c13a1726d9275c924dad97a5ad3945eaea97c0b`);

const KEY_FILE = `-----BEGIN FIELDSTONE ENCRYPTION KEY-----
AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADpwQtN
-----END FIELDSTONE ENCRYPTION KEY-----
`;

const MALFORMED = { name: 'MalformedDataError' };

test('philox gives the known answers of Random123', () => {
  const out = new Uint32Array(4);
  const answers = [
    ['00000000 00000000 00000000 00000000', '00000000 00000000', '6627e8d5 e169c58d bc57ac4c 9b00dbd8'],
    ['ffffffff ffffffff ffffffff ffffffff', 'ffffffff ffffffff', '408f276d 41c83b0e a20bc7c6 6d5451fd'],
    ['243f6a88 85a308d3 13198a2e 03707344', 'a4093822 299f31d0', 'd16cfe09 94fdcceb 5001e420 24126ea1'],
  ];
  const words = (text) => text.split(' ').map((word) => parseInt(word, 16));
  for (const [counter, key, expected] of answers) {
    philox(...words(key), ...words(counter), out);
    assert.deepEqual([...out], words(expected));
  }
});

test('numbers of variable length have one form', () => {
  for (const value of [0, 63, 64, 16383, 16384, 2 ** 30 - 1, 2 ** 30, 2 ** 32 + 5, Number.MAX_SAFE_INTEGER]) {
    const writer = new ByteWriter(8);
    writer.varint(value);
    assert.equal(new ByteReader(writer.written()).varint('value', Infinity), value);
  }
  assert.deepEqual(new ByteReader(hex('c2197c5eff14e88c')).varint('value', Infinity), 151288809941952652);
  assert.throws(() => new ByteReader(hex('4001')).varint('value', 10), MALFORMED);
  assert.throws(() => new ByteReader(hex('40')).varint('value', 10), MALFORMED);
  assert.throws(() => new ByteReader(hex('0a')).varint('value', 10), MALFORMED);
  assert.throws(() => new ByteReader(hex('')).varint('value', 10), MALFORMED);
});

test('a manifest is read, and its generations are those of the object', () => {
  const manifest = new Manifest(MANIFEST);
  assert.deepEqual([manifest.n, manifest.k, manifest.length, manifest.generations], [2, 16, 100, 4]);
  assert.deepEqual([manifest.blocksOf(3), manifest.bytesOf(3), manifest.bytesOf(0)], [1, 4, 32]);
  assert.equal(toHex(manifest.root), '768fa371e793ec67b0c625a50dd99e8066e2d7eaa1f3ccf0f90fe58279b38295');
});

test('a manifest of another form is refused', () => {
  for (const [at, value] of [[0, 0], [7, 3], [8, 3], [9, 6], [10, 2], [11, 2], [12, 1], [16, 255], [20, 1], [28, 255]]) {
    const changed = MANIFEST.slice();
    changed[at] = value;
    assert.throws(() => new Manifest(changed), MALFORMED, `byte ${at}`);
  }
  for (let length = 0; length < MANIFEST.length; length++) {
    assert.throws(() => new Manifest(MANIFEST.subarray(0, length)), MALFORMED);
  }
});

test('the hash tree is that of the format', () => {
  const kernels = wasmKernels();
  const tree = new HashTree(kernels);
  const manifest = new Manifest(MANIFEST);
  const hashes = new GenerationHashes(manifest, HASHES, tree);
  const source = kernels.heap.allocate(128);
  kernels.heap.bytes.fill(0, source, source + 128);
  kernels.heap.bytes.set(Uint8Array.from({ length: 100 }, (_, at) => at), source);
  for (let g = 0; g < 4; g++) {
    assert.deepEqual(tree.generation(source + 32 * g, 16, manifest.blocksOf(g), 16), hashes.of(g).slice());
  }
  const changed = HASHES.slice();
  changed[100] ^= 1;
  assert.throws(() => new GenerationHashes(manifest, changed, tree), MALFORMED);
  assert.throws(() => new GenerationHashes(manifest, HASHES.subarray(32), tree), MALFORMED);
});

test('a tree of more hashes than the memory has is right, too', () => {
  const leaves = Uint8Array.from({ length: 32 * 5000 }, (_, at) => at * 7);
  const small = new HashTree(wasmKernels());
  small.object(leaves.subarray(0, 64));
  assert.deepEqual(small.object(leaves), new HashTree(new ScalarKernels()).object(leaves));
});

test('a generation is decrypted, and a changed one refused', async () => {
  const manifest = { encryption: { salt: hex('0000000000000001 0000000000000002 0000000000000003 0000000000000004'), keyId: '606c337bcc2ca81c' }, generations: 8 };
  const decryption = await Decryption.of(manifest, KEY_FILE);
  const ciphertext = hex('988516761aadb8624131951afca4c95cce3fe1641c10c0c4e35494');
  assert.equal(new TextDecoder().decode(await decryption.decrypt(7, ciphertext)), 'hello world');
  await assert.rejects(decryption.decrypt(6, ciphertext), /generation 6/);
  ciphertext[0] ^= 1;
  await assert.rejects(decryption.decrypt(7, ciphertext), /generation 7/);
});

test('a key that is missing, another, damaged or not needed is named', async () => {
  const manifest = { encryption: { salt: new Uint8Array(32), keyId: '0102030405060708' }, generations: 1 };
  await assert.rejects(Decryption.of(manifest, undefined), /0102030405060708.*no key/);
  await assert.rejects(Decryption.of(manifest, new Uint8Array(32)), /0102030405060708, not 606c337bcc2ca81c/);
  await assert.rejects(Decryption.of({ encryption: null }, KEY_FILE), /not encrypted/);
  await assert.rejects(readKey(KEY_FILE.replace('AAAA', 'AAAB')), /checksum/);
  await assert.rejects(readKey('no key'), /not the text of a key file/);
  await assert.rejects(readKey(new Uint8Array(31)), /31 bytes/);
});

test('codes and parameters that the format does not have are refused', () => {
  assert.throws(() => new Code(6, 0n), MALFORMED);
  assert.throws(() => new Code(3, 256n), MALFORMED);
  assert.throws(() => new Code(1, 1n), MALFORMED);
  assert.throws(() => new Code(4, 0xbff0000000000000n), MALFORMED);
  assert.throws(() => new Code(4, 0x7ff8000000000000n), MALFORMED);
});

test('data packets of another form are refused', () => {
  const manifest = new Manifest(MANIFEST);
  const payload = '00'.repeat(16);
  const read = (digits) => readHeader(hex(digits), manifest);
  assert.deepEqual(read(`00 05 00000007 01 01 ${payload}`),
      { kind: 0, isUnverified: false, alias: 5, sequence: 7, generation: 1, index: 1, bodyAt: 8 });
  for (const digits of [
    '', '00', `08 05 00000007 01 01 ${payload}`, `03 05 00000007 01 01 ${payload}`, `07 05 00000007 01 01 ${payload}`,
    `00 05 00000007 04 01 ${payload}`, `00 05 00000007 01 02 ${payload}`, `00 05 00000007 03 01 ${payload}`,
    `01 05 00000007 01 01 ${payload}`, `00 05 00000007 01 01 ${payload}00`, `02 05 00000007 01 ${payload}`,
  ]) {
    assert.throws(() => read(digits), MALFORMED, digits);
  }
});

test('hexadecimal digits of another length are refused', () => {
  assert.deepEqual(fromHex('00fF', 2), Uint8Array.of(0, 255));
  assert.throws(() => fromHex('00f', 2), RangeError);
  assert.throws(() => fromHex('00fg', 2), RangeError);
  assert.ok(new MalformedDataError('x') instanceof Error);
});
