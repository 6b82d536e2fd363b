import { XhtmlText } from './xhtml-text.ts';
import { resolvePath, XmlArchive } from './xml-archive.server.ts';

export interface BookText {
  title: string;
  author: string;
  /** Titles in the table of contents. */
  contents: string[];
  images: number;
  /** `all` counts the sections of the book; `sections` holds those that were read, in order. */
  all: number;
  sections: Array<{ section: number; title: string; text: string; more: boolean }>;
}

const MAX_SECTIONS = 5_000;
const MAX_TITLES = 1_000;
const MAX_TITLE_LENGTH = 200;

/** Obfuscates only fonts, which readers of books undo (EPUB 3.3, 4.2.6). */
const fontMangling = new Set(['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC']);

async function isProtected(archive: XmlArchive): Promise<boolean> {
  let locked = false;
  await archive.read('META-INF/encryption.xml', {
    open(name, { Algorithm = '' }) {
      if (name === 'EncryptionMethod' && !fontMangling.has(Algorithm)) locked = true;
    },
    close() {},
  });
  return locked;
}

async function findPackage(archive: XmlArchive): Promise<string | null> {
  let path: string | null = null;
  await archive.read('META-INF/container.xml', {
    open(name, { 'full-path': full }) {
      if (name === 'rootfile' && full !== undefined) path ??= resolvePath('', full);
    },
    close() {},
  });
  return path;
}

interface Item {
  path: string;
  type: string;
  nav: boolean;
}

async function readPackage(archive: XmlArchive, path: string) {
  const items = new Map<string, Item>();
  const spine: string[] = [];
  const metadata = { title: '', creator: '' };
  let current: 'title' | 'creator' | null = null;
  let toc = '';
  const exists = await archive.read(path, {
    open(name, attributes) {
      const { id = '', href = '', idref } = attributes;
      if ((name === 'title' || name === 'creator') && metadata[name] === '') current = name;
      else if (name === 'spine') toc = attributes.toc ?? '';
      else if (name === 'itemref' && idref !== undefined && spine.length < MAX_SECTIONS) spine.push(idref);
      else if (name === 'item') {
        const at = resolvePath(path, href);
        const nav = attributes.properties?.split(/\s+/).includes('nav') === true;
        if (at !== null) items.set(id, { path: at, type: attributes['media-type'] ?? '', nav });
      }
    },
    text(text) {
      if (current) metadata[current] = (metadata[current] + text).slice(0, MAX_TITLE_LENGTH);
    },
    close: () => {
      current = null;
    },
  });
  const contents = [...items.values()].find(({ nav }) => nav)?.path ?? items.get(toc)?.path;
  const sections = spine.flatMap((id) => items.get(id) ?? []).filter(({ type }) => /xhtml|html/.test(type));
  const images = [...items.values()].filter(({ type }) => type.startsWith('image/')).length;
  return exists ? { ...metadata, sections, images, contents } : null;
}

/** Reads titles by section path from a navigation document or an NCX. */
async function readContents(archive: XmlArchive, path: string): Promise<Map<string, string>> {
  const titles = new Map<string, string>();
  let [title, target]: [string, string | null] = ['', null];
  let reading = false;
  const saveTitle = () => {
    const name = title.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE_LENGTH);
    if (target !== null && name !== '' && !titles.has(target)) titles.set(target, name);
  };
  await archive.read(path, {
    open(name, { href, src }) {
      if (name === 'a' || name === 'navLabel') {
        reading = true;
        title = '';
      }
      if (name === 'a') target = resolvePath(path, href ?? '');
      if (name === 'content') {
        target = resolvePath(path, src ?? '');
        saveTitle();
      }
    },
    text(text) {
      if (reading && title.length < MAX_TITLE_LENGTH) title += text;
    },
    close(name) {
      if (name === 'a') saveTitle();
      if (name === 'a' || name === 'navLabel') reading = false;
    },
    isDone: () => titles.size > MAX_TITLES,
  });
  return titles;
}

/** Returns 'protected' for a copy-protected book, and null for an archive that is not a book. @throws ZipFault */
export async function readBook(bytes: Buffer, limit: number): Promise<BookText | 'protected' | null> {
  const archive = new XmlArchive(bytes);
  if (await isProtected(archive)) return 'protected';
  const path = await findPackage(archive);
  const book = path === null ? null : await readPackage(archive, path);
  if (!book || book.sections.length === 0) return null;
  const titles = book.contents === undefined ? new Map() : await readContents(archive, book.contents);
  const sections: BookText['sections'] = [];
  let remaining = limit;
  for (const [index, { path: at }] of book.sections.entries()) {
    if (remaining <= 0) break;
    const page = new XhtmlText(remaining);
    await archive.read(at, page);
    const { text, heading } = page.read();
    if (text === '') continue;
    const title = titles.get(at) ?? heading;
    sections.push({ section: index + 1, title, text: text.slice(0, remaining), more: page.isDone() });
    remaining -= text.length;
  }
  const { title, creator, images } = book;
  return {
    title: title.trim(),
    author: creator.trim(),
    contents: [...titles.values()],
    images,
    all: book.sections.length,
    sections,
  };
}
