/** Mail headers: unfolding, encoded words (RFC 2047), parameters (RFC 2045, 2231). Never throws on bad input. */

export interface HeaderField {
  /** In lower case. */
  name: string;
  /** Unfolded, not decoded. */
  value: string;
}

/** Decodes bytes in a named charset; an unknown one is read as UTF-8. */
export function decodeBytes(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset.trim().toLowerCase() || 'utf-8').decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** Splits a header block into fields. Lines that are no field are left out. */
export function parseHeaders(block: string): HeaderField[] {
  const fields: HeaderField[] = [];
  for (const line of block.replace(/\r?\n(?=[ \t])/g, '').split(/\r?\n/)) {
    const match = /^([!-9;-~]+)[ \t]*:[ \t]*(.*)$/.exec(line);
    if (match) fields.push({ name: match[1]!.toLowerCase(), value: match[2]!.trim() });
  }
  return fields;
}

/** Takes white space off line ends and joins lines that end with "=", line by line to stay linear. */
function joinSoftLines(text: string): string {
  let out = '';
  for (const line of text.split('\n')) {
    const end = line.endsWith('\r') ? '\r\n' : '\n';
    const bare = line.trimEnd();
    out += bare.endsWith('=') ? bare.slice(0, -1) : bare + end;
  }
  // The split saw one line end more than the text has.
  return out.endsWith('\n') ? out.slice(0, -1) : out;
}

/** Bytes of quoted-printable text; `underscore` is the header form, in which "_" is a space. */
export function decodeQuotedPrintable(text: string, underscore = false): Buffer {
  const joined = underscore ? text.replace(/_/g, ' ') : joinSoftLines(text);
  const bytes = joined.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1');
}

const ENCODED_WORD = /=\?([^?*\s]+)(?:\*[^?\s]*)?\?([QqBb])\?([^?\s]*)\?=/g;

/**
 * Decodes encoded words. Neighbouring words of one charset are joined as bytes first: senders cut long subjects,
 * and some of them in the middle of a character.
 */
export function decodeWords(value: string): string {
  const runs: { charset: string; bytes: Buffer }[] = [];
  let text = '';
  let end = 0;
  const close = () => {
    for (const { charset, bytes } of runs.splice(0)) text += decodeBytes(bytes, charset);
  };
  for (const match of value.matchAll(ENCODED_WORD)) {
    const [whole, charset = '', encoding = '', data = ''] = match;
    const gap = value.slice(end, match.index);
    if (runs.length === 0 || gap.trim() !== '') {
      close();
      text += rawText(gap);
    }
    const bytes =
      encoding.toUpperCase() === 'B' ? Buffer.from(data, 'base64') : decodeQuotedPrintable(data, true);
    const last = runs.at(-1);
    if (last?.charset === charset.toLowerCase()) last.bytes = Buffer.concat([last.bytes, bytes]);
    else runs.push({ charset: charset.toLowerCase(), bytes });
    end = match.index + whole.length;
  }
  close();
  return text + rawText(value.slice(end));
}

/** Header text is read as Latin-1 to keep its bytes; where those are UTF-8 (RFC 6532) they are shown as such. */
function rawText(text: string): string {
  if (!/[\x80-\xff]/.test(text)) return text;
  const decoded = Buffer.from(text, 'latin1').toString('utf8');
  return decoded.includes('\ufffd') ? text : decoded;
}

interface Parameterised {
  /** In lower case, such as text/plain. */
  value: string;
  /** Names in lower case. */
  parameters: Map<string, string>;
}

function percentDecode(text: string): string {
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Reads "text/plain; charset=utf-8", with quoted values and the continued and encoded form of RFC 2231. */
export function parseParameters(field: string): Parameterised {
  const parameters = new Map<string, string>();
  const parts = new Map<string, { index: number; text: string; encoded: boolean }[]>();
  const pattern = /;\s*([^\s=;*]+)(?:\*(\d+))?(\*)?\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^;\s]*))/g;
  for (const [, name = '', index, star, quoted, plain] of field.matchAll(pattern)) {
    const text = quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '';
    const key = name.toLowerCase();
    parts.set(key, [...(parts.get(key) ?? []), { index: Number(index ?? 0), text, encoded: star === '*' }]);
  }
  for (const [name, list] of parts) {
    const sorted = list.toSorted((a, b) => a.index - b.index);
    const charset = sorted[0]!.encoded ? /^([^']*)'[^']*'/.exec(sorted[0]!.text) : null;
    const joined = sorted
      .map(({ text, encoded }, at) => {
        const bare = at === 0 && charset ? text.slice(charset[0].length) : text;
        return encoded ? percentDecode(bare) : bare;
      })
      .join('');
    const value = charset ? decodeBytes(Buffer.from(joined, 'latin1'), charset[1]!) : decodeWords(joined);
    parameters.set(name, value);
  }
  return { value: field.split(';')[0]!.trim().toLowerCase(), parameters };
}
