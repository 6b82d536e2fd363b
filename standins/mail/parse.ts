import PostalMime, { decodeWords } from 'postal-mime';

interface Attachment {
  name: string;
  type: string;
  size: number;
}

export interface ParsedMail {
  /** Repeated headers have one value per line. */
  headers: Record<string, string>;
  subject: string;
  from: string;
  text: string;
  html: string;
  attachments: Attachment[];
  links: string[];
}

const normalizeNewlines = (text = '') => text.replace(/\r\n/g, '\n').replace(/\n$/, '');

/** Punctuation after a link is not part of it. */
export const TEXT_LINK = /https?:\/\/[^\s<>"'`]+[^\s<>"'`.,;:!?)\]}]/g;

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const decodeEntities = (text: string) =>
  text.replace(/&(?:#x([0-9a-f]{1,5})|#(\d{1,6})|(amp|lt|gt|quot|apos));/gi, (_, hex, decimal, name) =>
    name ? ENTITIES[name.toLowerCase()]! : String.fromCodePoint(hex ? Number.parseInt(hex, 16) : +decimal),
  );

export function linksOf(mail: { text: string; html: string }): string[] {
  const anchors = mail.html.matchAll(/<a\s[^<>]*?href\s*=\s*(?:"([^"]*)"|'([^']*)')/gi);
  const links = [...anchors].map(([, quoted, single]) => decodeEntities(quoted ?? single ?? '').trim());
  links.push(...(mail.text.match(TEXT_LINK) ?? []));
  return [...new Set(links)].filter((link) => /^(?:https?|mailto):/i.test(link));
}

/** Parses a mail; if the parser refuses it (parts nested too deep), its source becomes the text. */
export async function parseMail(raw: Buffer): Promise<ParsedMail> {
  const mail = await PostalMime.parse(raw, { forceRfc822Attachments: true }).catch(() => ({
    headers: [],
    text: raw.toString(),
    html: '',
    attachments: [],
  }));
  const headers = new Map<string, string>();
  for (const { key, value } of mail.headers)
    headers.set(key, [...(headers.has(key) ? [headers.get(key)] : []), decodeWords(value)].join('\n'));
  const text = normalizeNewlines(mail.text);
  const html = normalizeNewlines(mail.html);
  return {
    headers: Object.fromEntries(headers),
    subject: headers.get('subject') ?? '',
    from: headers.get('from') ?? '',
    text,
    html,
    attachments: mail.attachments.map(({ filename, mimeType, content }) => ({
      name: filename ?? 'unnamed',
      type: mimeType,
      size: typeof content === 'string' ? content.length : content.byteLength,
    })),
    links: linksOf({ text, html }),
  };
}
