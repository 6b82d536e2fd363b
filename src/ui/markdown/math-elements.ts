import { createElement, Fragment, type ReactNode } from 'react';
import temml from 'temml';
import './math.css';

/** Temml's tree: https://www.w3.org/TR/mathml-core/. */
interface MathNode {
  type?: string;
  text?: string;
  attributes?: Record<string, string>;
  classes?: string[];
  style?: Record<string, string>;
  children?: MathNode[];
}

const tags = new Set(
  'math mi mn mo ms mtext mspace mrow mfrac msqrt mroot mstyle mpadded mphantom menclose msub msup msubsup munder mover munderover mmultiscripts mprescripts none mtable mtr mlabeledtr mtd'.split(
    ' ',
  ),
);
const attributes = new Set(
  'display displaystyle scriptlevel mathvariant stretchy fence separator form largeop movablelimits symmetric minsize maxsize lspace rspace linethickness accent accentunder width height depth voffset notation columnalign columnlines rowlines rowspacing columnspacing'.split(
    ' ',
  ),
);
/** No colors, so that the formula stays readable in both themes. */
const styles = /^(?:padding|border)(?:Left|Right|Top|Bottom)?$|^(?:width|height|mathDepth)$/;
const plainValue = /^[\w\s.%#+-]*$/;
const plainClass = /^[\w-]+$/;

/** Per formula; the browser lays out deeper trees slowly. */
const bounds = { nodes: 3_000, depth: 60, expansions: 300 };

interface Count {
  nodes: number;
  glyphs: number;
}

const camelCase = (name: string) => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

function propsOf(node: MathNode): Record<string, unknown> {
  const props: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(node.attributes ?? {})) {
    if (attributes.has(name) && plainValue.test(value)) props[name] = value;
  }
  const names = (node.classes ?? []).filter((name) => plainClass.test(name));
  if (names.length > 0) props.className = names.join(' ');
  const style = Object.entries(node.style ?? {})
    .map(([name, value]) => [camelCase(name), value] as const)
    .filter(([name, value]) => styles.test(name) && plainValue.test(value));
  if (style.length > 0) props.style = Object.fromEntries(style);
  return props;
}

function elements(node: MathNode, count: Count, depth: number): ReactNode {
  if (++count.nodes > bounds.nodes || depth > bounds.depth) throw new RangeError('The formula is too large.');
  const inner = () => (node.children ?? []).map((child) => elements(child, count, depth + 1));
  if (node.text !== undefined) {
    count.glyphs += node.text.length;
    return node.text;
  }
  if (node.type === undefined) return createElement(Fragment, null, ...inner());
  if (!tags.has(node.type)) return null;
  return createElement(node.type, propsOf(node), ...inner());
}

export interface Formula {
  element: ReactNode;
  glyphs: number;
}

/**
 * Converts a formula to elements with allowed names and attributes, which load nothing. Returns null if it is invalid
 * or too large.
 */
export function formula(source: string, display: boolean): Formula | null {
  try {
    const tree = temml.__renderToMathMLTree(source, {
      displayMode: display,
      throwOnError: true,
      trust: false,
      maxExpand: bounds.expansions,
      maxSize: [20, 200],
    }) as MathNode;
    const count: Count = { nodes: 0, glyphs: 0 };
    return { element: elements(tree, count, 0), glyphs: count.glyphs };
  } catch {
    return null;
  }
}
