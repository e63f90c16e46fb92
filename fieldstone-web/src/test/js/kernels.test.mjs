import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { stride, WasmKernels } from '../../main/resources/io/fieldstone/web/lib/kernels.js';
import { Rows } from '../../main/resources/io/fieldstone/web/lib/rows.js';
import { ScalarKernels } from '../../main/resources/io/fieldstone/web/lib/scalar-kernels.js';
import { generator, wasmKernels } from './support.mjs';

const POLYNOMIALS = [0x11d, 0x11b];

/** A product by the definition. */
function product(a, b, polynomial) {
  let result = 0;
  for (let bit = 7; bit >= 0; bit--) {
    result <<= 1;
    result ^= result & 0x100 ? polynomial : 0;
    result ^= b >> bit & 1 ? a : 0;
  }
  return result;
}

const implementations = [['wasm', wasmKernels], ['js', () => new ScalarKernels()]];

for (const [name, make] of implementations) {
  test(`${name} multiplies as the definition does`, () => {
    const random = generator(1);
    for (const polynomial of POLYNOMIALS) {
      for (const [rows, n] of [[1, 1], [3, 7], [2, 64], [5, 65], [1, 130]]) {
        const kernels = make();
        kernels.start(polynomial);
        const { heap } = kernels;
        const pitch = 128;
        const coefficients = heap.allocate(rows * stride(n));
        const input = heap.allocate(n * pitch);
        const out = heap.allocate(rows * pitch);
        random.fill(heap.bytes.subarray(coefficients, coefficients + rows * stride(n)));
        random.fill(heap.bytes.subarray(input, input + n * pitch));
        kernels.multiply(out, pitch, coefficients, stride(n), rows, n, input, pitch, pitch);
        for (let row = 0; row < rows; row++) {
          for (let at = 0; at < pitch; at++) {
            let expected = 0;
            for (let j = 0; j < n; j++) {
              expected ^= product(heap.bytes[coefficients + row * stride(n) + j], heap.bytes[input + j * pitch + at], polynomial);
            }
            assert.equal(heap.bytes[out + row * pitch + at], expected, `${rows}×${n}, row ${row}, byte ${at}`);
          }
        }
      }
    }
  });

  test(`${name} hashes as SHA-256`, () => {
    const kernels = make();
    const { heap } = kernels;
    const random = generator(2);
    const messages = heap.allocate(7 * 300);
    const out = heap.allocate(7 * 32);
    random.fill(heap.bytes.subarray(messages, messages + 7 * 300));
    for (const bytes of [0, 1, 53, 54, 55, 56, 62, 63, 64, 65, 117, 118, 119, 127, 128, 255, 300]) {
      for (let count = 1; count <= 7; count++) {
        kernels.sha256(out, 1, messages, 300, count, bytes);
        for (let i = 0; i < count; i++) {
          const message = heap.bytes.subarray(messages + 300 * i, messages + 300 * i + bytes);
          const expected = createHash('sha256').update(Uint8Array.of(1)).update(message).digest('hex');
          assert.equal(Buffer.from(heap.bytes.subarray(out + 32 * i, out + 32 * i + 32)).toString('hex'), expected);
        }
      }
    }
  });

  test(`${name} decodes random generations, and finds wrong rows`, () => {
    const random = generator(3);
    for (let run = 0; run < 40; run++) {
      const kernels = make();
      kernels.start(POLYNOMIALS[run % 2]);
      const n = 1 + random.below(run < 36 ? 40 : 150);
      const k = 1 + random.below(200);
      const rows = new Rows(kernels, n, k);
      const { heap } = kernels;
      const source = heap.allocate(n * rows.pitch);
      random.fill(heap.bytes.subarray(source, source + n * rows.pitch));
      const vector = heap.allocate(n);
      const coded = heap.allocate(rows.pitch);
      const payload = () => heap.bytes.slice(coded, coded + k);
      const wrongAt = random.below(3) === 0 ? random.below(n) : -1;
      for (let sender = 0; !rows.isComplete(); sender++) {
        if (random.below(2) === 0) {
          const position = random.below(n);
          rows.addSource(sender, position, heap.bytes.slice(source + position * rows.pitch, source + position * rows.pitch + k));
          continue;
        }
        random.fill(heap.bytes.subarray(vector, vector + n));
        kernels.multiply(coded, rows.pitch, vector, stride(n), 1, n, source, rows.pitch, rows.pitch);
        const coefficients = heap.bytes.slice(vector, vector + n);
        rows.addCoded(sender, (target) => target.set(coefficients), payload());
        if (random.below(20) === 0) {
          rows.removeRows((row) => row % 3 === 1);
        }
      }
      if (wrongAt >= 0) {
        heap.bytes[rows.payloadAt(wrongAt) + random.below(k)] ^= 1;
        assert.deepEqual([...rows.wrongSenders(source)], [rows.senders[wrongAt]]);
        continue;
      }
      assert.equal(rows.wrongSenders(source).size, 0);
      const output = heap.allocate(n * rows.pitch);
      rows.decode(output);
      for (let i = 0; i < n; i++) {
        assert.deepEqual(
            heap.bytes.slice(output + i * rows.pitch, output + i * rows.pitch + k),
            heap.bytes.slice(source + i * rows.pitch, source + i * rows.pitch + k));
      }
    }
  });

  test(`${name} keeps its memory when it grows`, () => {
    const { heap } = make();
    const first = heap.allocate(100);
    heap.bytes[first] = 77;
    const large = heap.allocate(40 << 20);
    heap.bytes[large + (40 << 20) - 1] = 1;
    assert.equal(heap.bytes[first], 77);
    heap.free(first, 100);
    assert.equal(heap.allocate(128), first);
  });
}

test('a changed module of WebAssembly is refused, and JavaScript stands in', async () => {
  const { loadKernels } = await import('../../main/resources/io/fieldstone/web/lib/kernels.js');
  const bytes = readFileSync(new URL('../../main/resources/io/fieldstone/web/lib/galois.wasm', import.meta.url));
  assert.ok(await loadKernels(bytes) instanceof WasmKernels);
  assert.ok(await loadKernels(bytes.subarray(0, 100)) instanceof ScalarKernels);
});
