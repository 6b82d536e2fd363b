const nested = (open: string, close: string) => `{"text":${open.repeat(10_000)}1${close.repeat(10_000)}}`;
/** Malformed or abusive bodies of a JSON request: a description, the bytes, and the allowed statuses. */
export const badBodies: Array<[string, string | Buffer, number[]]> = [
  ['empty', '', [400]],
  ['null', 'null', [400]],
  ['an array', '[]', [400]],
  ['a string', '"x"', [400]],
  ['a number', '1', [400]],
  ['without the fields', '{"a":1}', [400]],
  ['of 10,000 arrays', nested('[', ']'), [400]],
  ['of 10,000 objects', nested('{"a":', '}'), [400]],
  ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), [400]],
  ['UTF-16', Buffer.from('{"text":"x"}', 'utf16le'), [400]],
  ['cut', '{"text":"x', [400]],
  ['followed by more', '{"text":"x"}{"text":"y"}', [400]],
  ['compressed', Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0]), [400]],
  ['over the limit', JSON.stringify({ text: 'x'.repeat(300_000) }), [413]],
];
