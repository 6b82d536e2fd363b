/** An element of a page's HTML. */
export interface HtmlElement {
  name: string;
  attributes: ReadonlyMap<string, string>;
  /** Content of a script or style; empty for all other elements. */
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

/** Returns a page's elements in order. Needs lower-case names and quoted values, which markup.test.ts checks. */
export function elementsOf(html: string): HtmlElement[] {
  return [...html.matchAll(tags)]
    .map(([, raw, rawAttributes = '', text = '', name, attributes = '']) => ({
      name: raw ?? name ?? '',
      attributes: attributesOf(raw ? rawAttributes : attributes),
      text,
    }))
    .filter((element) => element.name !== '');
}

/** Inline elements, whose tags do not separate words. */
const inline = /<\/(a|abbr|b|cite|code|em|i|mark|s|small|span|strong|sub|sup|time|wbr)>/g;

/** Returns a page's text without markup, with whitespace collapsed. */
export function visibleText(html: string): string {
  const body = /<body[\s\S]*<\/body>/.exec(html)?.[0] ?? html;
  const text = body
    .replace(tags, '')
    .replace(inline, '')
    .replace(/<\/[a-z][\w-]*>/g, ' ');
  return unescaped(text).replace(/\s+/g, ' ');
}
