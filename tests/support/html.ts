/** An element of a page as it was sent. */
export interface HtmlElement {
  name: string;
  attributes: ReadonlyMap<string, string>;
  /** What stands inside a script or a style; empty for all others. */
  text: string;
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#x27': "'",
  '#39': "'",
};

const unescaped = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#x27|#39);/g, (_, name) => entities[name] ?? '');

const tags =
  /<!--[\s\S]*?-->|<(script|style)\b((?:"[^"]*"|[^">])*)>([\s\S]*?)<\/\1>|<([a-z][\w-]*)((?:"[^"]*"|[^">])*)>/g;

const attributesOf = (text: string) =>
  new Map(
    [...text.matchAll(/([^\s"=/]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [
      name.toLowerCase(),
      unescaped(value),
    ]),
  );

/** The elements of a page of ours, in their order. Names are small and values are quoted: markup.test.ts holds that. */
export function elementsOf(html: string): HtmlElement[] {
  return [...html.matchAll(tags)]
    .map(([, raw, rawAttributes = '', text = '', name, attributes = '']) => ({
      name: raw ?? name ?? '',
      attributes: attributesOf(raw ? rawAttributes : attributes),
      text,
    }))
    .filter((element) => element.name !== '');
}

/** Elements within a line of text, which part no words. */
const inline = /<\/(a|abbr|b|cite|code|em|i|mark|s|small|span|strong|sub|sup|time|wbr)>/g;

/** The words of a page without its markup, blanks made one. */
export function wordsOf(html: string): string {
  const body = /<body[\s\S]*<\/body>/.exec(html)?.[0] ?? html;
  const text = body
    .replace(tags, '')
    .replace(inline, '')
    .replace(/<\/[a-z][\w-]*>/g, ' ');
  return unescaped(text).replace(/\s+/g, ' ');
}
