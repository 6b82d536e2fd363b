import type { PDFDocumentProxy } from './pdfjs.ts';

export const normalizeForSearch = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ');

export async function searchPages(pdf: PDFDocumentProxy, query: string, isCancelled: () => boolean) {
  const needle = normalizeForSearch(query).trim();
  const found: Array<{ page: number; count: number }> = [];
  for (let page = 1; page <= pdf.numPages && !isCancelled(); page++) {
    const { items } = await (await pdf.getPage(page)).getTextContent();
    const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? ' ' : '') : '')).join('');
    const count = normalizeForSearch(text).split(needle).length - 1;
    if (count > 0) found.push({ page, count });
  }
  return found;
}

/** In pixels of the page's text layer. */
export function rectsOf(layer: HTMLElement, query: string): DOMRect[][] {
  const needle = normalizeForSearch(query).trim();
  if (needle === '') return [];
  const places: Array<{ node: Text; offset: number }> = [];
  let text = '';
  for (const span of layer.querySelectorAll<HTMLElement>('span, br')) {
    if (span.tagName === 'BR') {
      text += ' ';
      places.push({
        node: places.at(-1)?.node ?? document.createTextNode(''),
        offset: places.at(-1)?.offset ?? 0,
      });
      continue;
    }
    const node = span.firstChild;
    if (!(node instanceof Text)) continue;
    for (const [offset, character] of [...node.data].map((one, index) => [index, one] as const)) {
      const normalized = character.normalize('NFKC').toLowerCase().replace(/\s/g, ' ');
      text += normalized;
      for (let n = 0; n < normalized.length; n++) places.push({ node, offset });
    }
  }
  const origin = layer.getBoundingClientRect();
  const hits: DOMRect[][] = [];
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
    const [from, to] = [places[at], places[at + needle.length - 1]];
    if (!from || !to) continue;
    const range = document.createRange();
    range.setStart(from.node, from.offset);
    range.setEnd(to.node, Math.min(to.offset + 1, to.node.length));
    hits.push(
      [...range.getClientRects()].map(
        ({ x, y, width, height }) => new DOMRect(x - origin.x, y - origin.y, width, height),
      ),
    );
  }
  return hits;
}
