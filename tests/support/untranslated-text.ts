import { readFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';

interface Node {
  type: string;
  start: number;
  [field: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

/** Attributes and properties whose text is shown or read aloud. */
const TEXT_ATTRIBUTES =
  /^(aria-(label|description|roledescription|valuetext)|title|placeholder|alt|label|text)$/;

/** Three or more words, the first capitalised: a sentence rather than a name, a class or a header. */
const SENTENCE = /^\p{Lu}[\p{L}’']*,?( [\p{L}\p{N}{(]\S*){2,}/u;

/** Nodes that take their text from the children in these fields. */
const passThrough: Record<string, string[]> = {
  ConditionalExpression: ['consequent', 'alternate'],
  LogicalExpression: ['left', 'right'],
  JSXExpressionContainer: ['expression'],
  TSAsExpression: ['expression'],
  TSSatisfiesExpression: ['expression'],
};

function textOf(node: Node): string | null {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node.type === 'JSXText') return String(node.value);
  if (node.type !== 'TemplateLiteral') return null;
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('{}');
}

function nameOf(node: unknown): string {
  const { name, value, property } = (node ?? {}) as Record<'name' | 'value' | 'property', unknown>;
  if (property) return nameOf(property);
  return typeof name === 'object' ? nameOf(name) : String(name ?? value ?? '');
}

/** Code that no visitor sees: types, SQL, errors for developers, log messages, descriptions of a schema. */
function isHidden({ type, callee }: Node): boolean {
  if (type === 'ImportDeclaration' || type === 'TaggedTemplateExpression') return true;
  if (type.startsWith('TS')) return passThrough[type] === undefined && type !== 'TSNonNullExpression';
  if (type === 'NewExpression') return /(?<!^(Problem|Run))(Error|Exception|Failure)$/.test(nameOf(callee));
  if (type !== 'CallExpression') return false;
  const { type: kind, object, property } = callee as Node;
  return kind === 'Super' || /^(log|console)$/.test(nameOf(object)) || nameOf(property) === 'describe';
}

/** Returns visible text in a file's code that is not in the message catalogue, each as `line: words`. */
export function untranslatedText(path: string): string[] {
  const code = readFileSync(path, 'utf8');
  const found: string[] = [];
  const visit = (node: Node, isVisible: boolean): void => {
    if (isHidden(node)) return;
    const text = textOf(node);
    const hasWords = text !== null && /\p{Ll}{2}/u.test(text.replace(/&\w+;/g, ''));
    if (hasWords && (isVisible || node.type === 'JSXText' || SENTENCE.test(text.trim()))) {
      const start = node.start + text.length - text.trimStart().length;
      found.push(`${code.slice(0, start).split('\n').length}: ${text.trim().replace(/\s+/g, ' ')}`);
    }
    const isElement = node.type === 'JSXElement' || node.type === 'JSXFragment';
    const named = { JSXAttribute: node.name, Property: node.key }[node.type];
    for (const [field, children] of Object.entries(node)) {
      if (node.type === 'Property' && field === 'key') continue;
      const isChildVisible = named
        ? field === 'value' && TEXT_ATTRIBUTES.test(nameOf(named))
        : isElement
          ? field === 'children'
          : isVisible && (passThrough[node.type]?.includes(field) ?? false);
      for (const child of [children].flat()) if (isNode(child)) visit(child, isChildVisible);
    }
  };
  visit(parseAst(code, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node, false);
  return found;
}
