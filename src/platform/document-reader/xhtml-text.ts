import type { XmlHandlers } from './xml-archive.server.ts';

const SKIPPED = new Set([
  'head',
  'script',
  'style',
  'template',
  'rt',
  'rp',
  'audio',
  'video',
  'object',
  'iframe',
]);
const BLOCKS = new Set(
  (
    'p div section article aside header footer main nav figure figcaption blockquote ul ol dl dt dd table hr pre ' +
    'h1 h2 h3 h4 h5 h6'
  ).split(' '),
);
/** Limit for a heading that may name a chapter, in UTF-16 units. */
const MAX_TITLE_LENGTH = 200;

const isHidden = ({ hidden, style = '' }: Record<string, string>) =>
  hidden !== undefined || /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style);

/** Extracts the visible text of an XHTML page with headings, lists and tables, up to `limit` UTF-16 units. */
export class XhtmlText implements XmlHandlers {
  #text = '';
  /** The text ends with white space, after which more of it is dropped. */
  #blank = true;
  #heading = '';
  #inHeading = false;
  /** Nesting depth inside an element that is not displayed. */
  #skipped = 0;
  #preDepth = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  isDone = () => this.#text.length > this.#limit;

  open(name: string, attributes: Record<string, string>): void {
    if (this.#skipped > 0 || SKIPPED.has(name) || isHidden(attributes)) {
      this.#skipped++;
      return;
    }
    if (BLOCKS.has(name)) this.#append('\n\n');
    if (/^h[1-6]$/.test(name)) {
      this.#append(`${'#'.repeat(Number(name[1]))} `);
      this.#inHeading = this.#heading === '';
    } else if (name === 'li') this.#append('\n- ');
    else if (name === 'tr' || name === 'br') this.#append('\n');
    else if (name === 'pre') this.#preDepth++;
  }

  text(text: string): void {
    if (this.#skipped > 0) return;
    const flat = this.#preDepth > 0 ? text : text.replace(/\s+/g, ' ');
    const shown = this.#blank && this.#preDepth === 0 ? flat.replace(/^ /, '') : flat;
    this.#text += shown;
    if (shown !== '') this.#blank = /\s$/.test(shown);
    if (this.#inHeading && this.#heading.length < MAX_TITLE_LENGTH) this.#heading += text;
  }

  close(name: string): void {
    if (this.#skipped > 0) {
      this.#skipped--;
      return;
    }
    if (name === 'td' || name === 'th') this.#append('\t');
    else if (BLOCKS.has(name)) this.#append('\n\n');
    if (name === 'pre') this.#preDepth--;
    if (/^h[1-6]$/.test(name)) this.#inHeading = false;
  }

  #append(markup: string): void {
    this.#text += markup;
    this.#blank = true;
  }

  read(): { text: string; heading: string } {
    const text = this.#text
      .replace(/(?<![^\S\n])[^\S\n]+\n/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
    return { text, heading: this.#heading.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE_LENGTH) };
  }
}
