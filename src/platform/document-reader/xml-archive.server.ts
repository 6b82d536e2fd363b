import { SaxesParser } from 'saxes';
import { unpacked, type ZipEntry, ZipFault, zipEntries } from '../zip-entries.server.ts';
import { inflatedLimits } from './inflate-limits.server.ts';

export interface XmlHandlers {
  /** Names come without namespace prefix. */
  open(name: string, attributes: Record<string, string>): void;
  close(name: string): void;
  text?(text: string): void;
  /** Returns true when the rest need not be read. */
  isDone?(): boolean;
}

/** Limit on nesting. */
const MAX_DEPTH = 256;

/** XHTML entities that books use; others stay as written. A DTD is never read. */
const entities = {
  nbsp: '\u00a0',
  shy: '',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
  zwnj: '\u200c',
  zwj: '\u200d',
  copy: '©',
  reg: '®',
  trade: '™',
  laquo: '«',
  raquo: '»',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  sbquo: '‚',
  bdquo: '„',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  bull: '•',
  middot: '·',
  sect: '§',
  para: '¶',
  deg: '°',
  times: '×',
  frac12: '½',
  euro: '€',
  pound: '£',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  agrave: 'à',
  aacute: 'á',
  acirc: 'â',
  ccedil: 'ç',
  egrave: 'è',
  eacute: 'é',
  ecirc: 'ê',
  iacute: 'í',
  ntilde: 'ñ',
  oacute: 'ó',
  uacute: 'ú',
};

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

function decoderOf(head: Buffer): TextDecoder {
  const mark = head.length > 1 ? head.readUInt16BE(0) : 0;
  return new TextDecoder(mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8');
}

function parserFor(handlers: XmlHandlers): SaxesParser {
  const parser = new SaxesParser({ position: false });
  Object.assign(parser.ENTITIES, entities);
  let depth = 0;
  parser.on('opentag', ({ name, attributes }) => {
    if (++depth > MAX_DEPTH) throw new ZipFault('too_large');
    const plain = Object.entries(attributes).map(([key, value]) => [localName(key), value]);
    handlers.open(localName(name), Object.fromEntries(plain));
  });
  parser.on('closetag', ({ name }) => {
    depth--;
    handlers.close(localName(name));
  });
  const onText = (text: string) => handlers.text?.(text);
  parser.on('text', onText);
  parser.on('cdata', onText);
  // Real files are not always well-formed, so as much as possible is read.
  parser.on('error', () => undefined);
  return parser;
}

/** A zip archive of XML files, in memory. Sizes in its headers are not trusted. */
export class XmlArchive {
  readonly #source;
  readonly #entries: ReadonlyMap<string, ZipEntry>;
  #remaining: number = inflatedLimits.all;

  /** @throws ZipFault */
  constructor(bytes: Buffer) {
    this.#source = {
      bytes: bytes.length,
      read: (offset: number, length: number) => bytes.subarray(offset, offset + length),
    };
    this.#entries = zipEntries(this.#source);
  }

  count(name: RegExp): number {
    return [...this.#entries.keys()].filter((each) => name.test(each)).length;
  }

  /** @returns whether the file exists. @throws ZipFault, too_large if it inflates or nests beyond the limits. */
  async read(name: string, handlers: XmlHandlers): Promise<boolean> {
    const entry = this.#entries.get(name);
    if (!entry) return false;
    const parser = parserFor(handlers);
    let decoder: TextDecoder | undefined;
    for await (const piece of unpacked(this.#source, entry, Math.min(inflatedLimits.each, this.#remaining))) {
      this.#remaining -= piece.length;
      decoder ??= decoderOf(piece);
      parser.write(decoder.decode(piece, { stream: true }));
      if (handlers.isDone?.()) return true;
    }
    parser.close();
    return true;
  }
}

/** Resolves `href` as written in the archive's file `base`; null for URLs and invalid paths. */
export function resolvePath(base: string, href: string): string | null {
  if (/^[a-z][\w+.-]*:/i.test(href) || href.startsWith('//')) return null;
  const { pathname } = new URL(href.replace(/[?#].*$/s, ''), `zip://archive/${encodeURI(base)}`);
  try {
    return decodeURIComponent(pathname).replace(/^\/+/, '');
  } catch {
    return null;
  }
}
