/**
 * A small MIME reader (RFC 2045 to 2047, 2231) for what mail libraries write. Limits of fidelity: attachments are
 * named, not kept; message/rfc822 parts are not opened; signatures and DKIM are not checked. Bounded in depth and
 * in the number of parts; never throws on bad input.
 */
import {
  decodeBytes,
  decodeQuotedPrintable,
  decodeWords,
  type HeaderField,
  parseHeaders,
  parseParameters,
} from './headers.ts';

export interface Attachment {
  name: string;
  type: string;
  /** Bytes after decoding. */
  size: number;
}

interface ParsedMail {
  /** Decoded values; a name that came more than once has its values on lines of their own. */
  headers: Record<string, string>;
  subject: string;
  from: string;
  text: string;
  html: string;
  attachments: Attachment[];
}

const MAX_DEPTH = 10;
const MAX_PARTS = 200;

interface Found {
  text: string | null;
  html: string | null;
  attachments: Attachment[];
  parts: number;
}

function splitHead(raw: string): { fields: HeaderField[]; body: string } {
  const match = /^\r?\n|\r?\n\r?\n/.exec(raw);
  if (!match) return { fields: parseHeaders(raw), body: '' };
  return { fields: parseHeaders(raw.slice(0, match.index)), body: raw.slice(match.index + match[0].length) };
}

function fieldOf(fields: HeaderField[], name: string): string {
  return fields.find((field) => field.name === name)?.value ?? '';
}

/** The parts between boundary lines; what stands before the first and after the last is no part. */
function splitParts(body: string, boundary: string): string[] {
  const escaped = boundary.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const line = new RegExp(`(?:^|\\r?\\n)--${escaped}(--)?[ \\t]*(?=\\r?\\n|$)`, 'g');
  const parts: string[] = [];
  let start = -1;
  for (const match of body.matchAll(line)) {
    if (start >= 0) parts.push(body.slice(start, match.index).replace(/^\r?\n/, ''));
    start = match.index + match[0].length;
    if (match[1]) return parts;
  }
  // The closing line is missing: a cut mail. What is there is still shown.
  if (start >= 0) parts.push(body.slice(start).replace(/^\r?\n/, ''));
  return parts;
}

function decodeBody(body: string, encoding: string): Buffer {
  const name = encoding.trim().toLowerCase();
  if (name === 'base64') return Buffer.from(body, 'base64');
  if (name === 'quoted-printable') return decodeQuotedPrintable(body);
  return Buffer.from(body, 'latin1');
}

function walk(raw: string, found: Found, depth: number): HeaderField[] {
  const { fields, body } = splitHead(raw);
  found.parts += 1;
  if (found.parts > MAX_PARTS || depth > MAX_DEPTH) return fields;
  const type = parseParameters(fieldOf(fields, 'content-type') || 'text/plain');
  const boundary = type.parameters.get('boundary');
  if (type.value.startsWith('multipart/') && boundary) {
    for (const part of splitParts(body, boundary)) walk(part, found, depth + 1);
    return fields;
  }
  const disposition = parseParameters(fieldOf(fields, 'content-disposition'));
  const bytes = decodeBody(body, fieldOf(fields, 'content-transfer-encoding'));
  const name = disposition.parameters.get('filename') ?? type.parameters.get('name');
  const isText = type.value === 'text/plain' || type.value === 'text/html';
  if (disposition.value === 'attachment' || !isText || name) {
    found.attachments.push({ name: name ?? 'unnamed', type: type.value, size: bytes.length });
    return fields;
  }
  const text = decodeBytes(bytes, type.parameters.get('charset') ?? 'utf-8').replace(/\r\n/g, '\n');
  if (type.value === 'text/html') found.html ??= text;
  else found.text ??= text;
  return fields;
}

/** Reads a whole mail as it came over SMTP. */
export function parseMail(raw: Buffer): ParsedMail {
  const found: Found = { text: null, html: null, attachments: [], parts: 0 };
  const fields = walk(raw.toString('latin1'), found, 0);
  const headers = new Map<string, string>();
  for (const { name, value } of fields) {
    const decoded = decodeWords(value);
    headers.set(name, headers.has(name) ? `${headers.get(name)}\n${decoded}` : decoded);
  }
  return {
    headers: Object.fromEntries(headers),
    subject: headers.get('subject') ?? '',
    from: headers.get('from') ?? '',
    text: found.text ?? '',
    html: found.html ?? '',
    attachments: found.attachments,
  };
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'" };

function decodeEntities(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|\w{2,6});/gi, (whole, name: string) => {
    const known = ENTITIES[name.toLowerCase()];
    if (known) return known;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return name.startsWith('#') && code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Pattern of a link in plain text; punctuation after it is not a part of it. */
export const TEXT_LINK = /https?:\/\/[^\s<>"'`]+[^\s<>"'`.,;:!?)\]}]/g;

/** The links of a mail, each once: those of the HTML part first, then those of the text. */
export function linksOf(mail: { text: string; html: string }): string[] {
  const links = new Set<string>();
  for (const [, quoted, single] of mail.html.matchAll(/<a\s[^<>]*?href\s*=\s*(?:"([^"]*)"|'([^']*)')/gi))
    links.add(decodeEntities(quoted ?? single ?? '').trim());
  for (const [link] of mail.text.matchAll(TEXT_LINK)) links.add(link);
  return [...links].filter((link) => /^(?:https?|mailto):/i.test(link));
}
