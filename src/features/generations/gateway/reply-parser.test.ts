import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReplyParser } from './reply-parser.server.ts';
import { chunk, DONE, event, STOP } from './scripted-gateway.fixture.ts';
import { TextCleaner } from './text-cleaner.ts';

/** Any UTF-16 text, with NUL, lone surrogates, line ends and event syntax more often than by chance. */
const anyText = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\0',
        '\ud83d',
        '\ude00',
        '😀',
        '\r\n\r\ndata: x\n\nevent: done',
        '[DONE]',
        '\u2028',
        '\ufeff',
      ),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

const clean = (text: string) => text.replaceAll('\0', '').toWellFormed();

function pieces<T extends { length: number; slice(from: number, to?: number): T }>(
  value: T,
  cuts: number[],
): T[] {
  const parts: T[] = [];
  let rest = value;
  for (const cut of cuts) {
    const at = rest.length === 0 ? 0 : cut % (rest.length + 1);
    parts.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return [...parts, rest];
}

const someCuts = fc.array(fc.nat({ max: 5_000 }), { maxLength: 30 });
const bounds = { eventBytes: 1 << 20, textBytes: 1 << 20 };

describe('ReplyParser', () => {
  it('returns the same clean text however tokens and bytes are split', () => {
    fc.assert(
      fc.property(
        anyText,
        someCuts,
        someCuts,
        fc.constantFrom('\n', '\r\n', '\r'),
        (text, tokens, reads, line) => {
          const stream =
            pieces(text, tokens)
              .map((token) => event(chunk(token)))
              .join('') +
            STOP +
            DONE;
          const reader = new ReplyParser(bounds, '');
          let collected = '';
          for (const bytes of pieces(Buffer.from(stream.replaceAll('\n', line)), reads)) {
            const piece = reader.feed(bytes);
            expect(piece.isWellFormed()).toBe(true);
            collected += piece;
          }
          expect(collected + reader.end()).toBe(clean(text));
          expect([reader.finish, reader.failure]).toEqual(['stop', null]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('reads raw UTF-8 split at every byte', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        const reader = new ReplyParser(bounds, '');
        const stream = Buffer.from(event(chunk(text)) + STOP);
        let collected = '';
        for (let at = 0; at < stream.length; at += 1) collected += reader.feed(stream.subarray(at, at + 1));
        expect(collected + reader.end()).toBe(clean(text));
      }),
    );
  });

  it('does not throw on arbitrary bytes and finds no finish in them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 200 })),
        fc.constantFrom('', 'data: '),
        (reads, start) => {
          const reader = new ReplyParser({ eventBytes: 256, textBytes: 64 }, '');
          for (const bytes of reads) {
            if (!reader.complete) reader.feed(Buffer.concat([Buffer.from(start), bytes]));
          }
          expect(reader.finish).toBeNull();
        },
      ),
    );
  });
});

describe('TextCleaner', () => {
  it('returns the same as cleaning the text in one piece', () => {
    fc.assert(
      fc.property(anyText, someCuts, (text, cuts) => {
        const cleaner = new TextCleaner();
        const parts = pieces(text, cuts).map((piece) => cleaner.push(piece));
        expect(parts.join('') + cleaner.end()).toBe(clean(text));
      }),
    );
  });
});
