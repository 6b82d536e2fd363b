import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidJson, JsonElements } from './json-elements.ts';

function elementsOf(text: string, piece = text.length || 1, objects: string[] = []) {
  const bytes = Buffer.from(text);
  const elements = new JsonElements(objects);
  const found: { list: string; value: unknown }[] = [];
  for (let at = 0; at < bytes.length; at += piece)
    for (const { list, bytes: element } of elements.push(bytes.subarray(at, at + piece)))
      found.push({ list, value: element === null ? null : JSON.parse(element.toString()) });
  elements.end();
  return found;
}

describe('the elements of a JSON text', () => {
  test('are those of a list, however it is split', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue()),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        (list, piece, wide) => {
          const text = JSON.stringify(list, null, wide ? 2 : 0);
          // JSON.stringify turns -0 into 0.
          const same = JSON.parse(text) as unknown[];
          expect(elementsOf(text, piece).map(({ value }) => value)).toEqual(same);
        },
      ),
    );
  });

  test('are those of all lists in an object, whatever their names', () => {
    const lists = fc.dictionary(fc.stringMatching(/^[a-z"\\é]{1,8}$/), fc.array(fc.jsonValue()));
    fc.assert(
      fc.property(lists, fc.jsonValue(), fc.integer({ min: 1, max: 9 }), (object, extra, piece) => {
        // Not parsed as a whole, because JSON.parse of V8 13 may reorder keys with escapes.
        const named = Object.entries(object).map(([name, list]) => [name, JSON.stringify(list)] as const);
        const pairs = [['extra', JSON.stringify({ list: [extra] })] as const, ...named];
        const text = `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`;
        const expected = named.flatMap(([, list]) => JSON.parse(list) as unknown[]);
        expect(elementsOf(text, piece).map(({ value }) => value)).toEqual(expected);
      }),
    );
  });

  test('have the name of their list', () => {
    expect(elementsOf('{"a":1,"chats":[{"a":[1]},2],"b":{"c":[3]},"d":[ ],"e":["x"]}', 1)).toEqual([
      { list: 'chats', value: { a: [1] } },
      { list: 'chats', value: 2 },
      { list: 'e', value: 'x' },
    ]);
  });

  test('have the name of their list despite whitespace around the colon, however it is split', () => {
    for (const piece of [1, 2, 3, 4, 5])
      expect(elementsOf('{ "a" : [1] , "b"\n:\t[ 2 ] }', piece)).toEqual([
        { list: 'a', value: 1 },
        { list: 'b', value: 2 },
      ]);
  });

  test('include objects with a requested name, and no others', () => {
    const text = '{"a":{"x":[1,{"y":"}"}]},"b":{"c":[3]},"d":[{"a":{"x":2}}],"a":7}';
    for (const piece of [1, 3, 100])
      expect(elementsOf(text, piece, ['a'])).toEqual([
        { list: 'a', value: { x: [1, { y: '}' }] } },
        { list: 'd', value: { a: { x: 2 } } },
      ]);
  });

  test('are null if nested too deeply', () => {
    const deep = `[${'['.repeat(300)}${']'.repeat(300)},1]`;
    expect(elementsOf(deep)).toEqual([
      { list: '', value: null },
      { list: '', value: 1 },
    ]);
  });

  test.each(['', '<html>', '[1', '[1]]', '{"a":[1]', '[1] 2', '"x"', '\u0000[]'])('reject %j', (text) => {
    expect(() => elementsOf(text)).toThrow(InvalidJson);
  });
});
