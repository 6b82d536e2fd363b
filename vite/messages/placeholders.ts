import { fileURLToPath } from 'node:url';
import { BASE, type Catalogues } from './catalogues.ts';

const source = (name: string) =>
  JSON.stringify(fileURLToPath(new URL(`../../src/shared/${name}.ts`, import.meta.url)));
const formats = {
  plain: { name: '__plain', line: `import { messageFormat as __plain } from ${source('message-format')};` },
  rich: {
    name: '__rich',
    line: `import { richMessageFormat as __rich } from ${source('rich-message-format')};`,
  },
};

interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

/** Rewrites a browser module: `m.key` becomes `__m__("key")`, and the import is removed. @throws SyntaxError */
export function replaceMessages(code: string, tree: unknown, catalogues: Catalogues): string {
  const edits: { start: number; end: number; text: string }[] = [];
  const usedFormats = new Set<'plain' | 'rich'>();
  const names: Record<string, string> = {};
  for (const node of (tree as { body: Node[] }).body) {
    if (node.type !== 'ImportDeclaration' || (node.source as { value: string }).value !== '#messages')
      continue;
    if (node.importKind === 'type') continue;
    edits.push({ start: node.start, end: node.end, text: '' });
    for (const specifier of node.specifiers as Node[])
      names[(specifier.imported as { name: string }).name] = (specifier.local as { name: string }).name;
  }
  const { m, locale, locales } = names;
  if (m)
    for (const { key, start, end } of references(tree as Node, m)) {
      const format = formatOf(key, catalogues);
      if (format) usedFormats.add(format);
      const argument = format ? `,${formats[format].name}` : '';
      edits.push({ start, end, text: `/* @__PURE__ */__m__(${JSON.stringify(key)}${argument})` });
    }
  let result = code;
  for (const { start, end, text } of edits.sort((a, b) => b.start - a.start))
    result = result.slice(0, start) + text + result.slice(end);
  const head = [...usedFormats].map((format) => formats[format].line);
  if (locale) head.push(`const ${locale} = () => __locale__;`);
  if (locales) head.push(`const ${locales} = ${JSON.stringify([...catalogues.keys()])};`);
  return head.length > 0 ? `${head.join('\n')}\n${result}` : result;
}

/** Returns the format that any of the languages needs: one may have a plural where another has none. */
function formatOf(key: string, catalogues: Catalogues): 'plain' | 'rich' | null {
  if (!catalogues.get(BASE)?.has(key)) throw new SyntaxError(`messages/${BASE}.json has no "${key}"`);
  const needs = [...catalogues.values()].map((messages) => messages.get(key)?.needs);
  return needs.includes('rich') ? 'rich' : needs.includes('plain') ? 'plain' : null;
}

/** Yields every `m.key`. @throws SyntaxError for any other use of `m`, which cannot be resolved at build time. */
function* references(node: Node, m: string): Generator<{ key: string; start: number; end: number }> {
  if (node.type === 'ImportDeclaration') return;
  if (node.type === 'Identifier' && node.name === m)
    throw new SyntaxError(`"${m}" of #messages is used otherwise than as ${m}.key`);
  const object = node.object as Node | undefined;
  if (node.type === 'MemberExpression' && object?.type === 'Identifier' && object.name === m) {
    const property = node.property as Node;
    if (node.computed) throw new SyntaxError(`${m}[...] could be any sentence: name each as ${m}.key`);
    yield { key: property.name as string, start: node.start, end: node.end };
    return;
  }
  for (const [field, child] of Object.entries(node)) {
    const isName = (field === 'property' || field === 'key') && !node.computed;
    if (isName && (child as Node)?.type === 'Identifier') continue;
    for (const each of Array.isArray(child) ? child : [child])
      if (typeof each?.type === 'string') yield* references(each as Node, m);
  }
}

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

/**
 * Rejects calls of `m.key()` and `locale()` while a module loads: on the server one module serves every language.
 * @throws SyntaxError
 */
export function checkEvaluation(tree: unknown): void {
  const names = new Set<string>();
  for (const node of (tree as { body: Node[] }).body)
    if (node.type === 'ImportDeclaration' && (node.source as { value: string }).value === '#messages')
      for (const specifier of node.specifiers as Node[])
        names.add((specifier.local as { name: string }).name);
  const visit = (node: Node): void => {
    if (FUNCTIONS.includes(node.type)) return;
    if (node.type === 'CallExpression') {
      const callee = node.callee as Node;
      const receiver = (callee.type === 'MemberExpression' ? callee.object : callee) as Node;
      if (receiver.type === 'Identifier' && names.has(receiver.name as string))
        throw new SyntaxError('A message is made when the module is loaded, in one language for everybody');
    }
    for (const child of Object.values(node).flat())
      if (typeof (child as Node | null)?.type === 'string') visit(child as Node);
  };
  visit(tree as Node);
}
