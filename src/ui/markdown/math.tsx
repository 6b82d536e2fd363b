import { memo, type ReactNode, useEffect, useState } from 'react';
import { m } from '#messages';
import type { Formula, formula } from './math-elements.ts';
import type { MathToken } from './math-source.ts';

const widest = 24;
/** Milliseconds of work per slice and of rest between slices; formulas per slice and in the cache. */
const slice = { work: 8, formulas: 20, rest: 16, kept: 500 };

const read = new Map<string, Formula | null>();
let reader: typeof formula | null = null;
let loading: Promise<void> | null = null;
const waiting = new Set<() => void>();
let spent = 0;
let since = 0;

const keyOf = ({ text, display }: MathToken) => `${display ? 'd' : 'i'}${text}`;

function readNow(token: MathToken): Formula | null | undefined {
  const key = keyOf(token);
  const known = read.get(key);
  if (known !== undefined || !reader) return known;
  const begun = performance.now();
  if (begun - since > slice.rest) {
    since = begun;
    spent = 0;
  }
  if (spent > slice.work) return undefined;
  const made = reader(token.text, token.display);
  spent += performance.now() - begun;
  if (read.size >= slice.kept) read.delete(read.keys().next().value!);
  read.set(key, made);
  return made;
}

function load(): Promise<void> {
  loading ??= import('./math-elements.ts').then(
    (module) => {
      reader = module.formula;
    },
    () => {
      loading = null;
    },
  );
  return loading;
}

let scheduled = false;

function whenIdle(work: () => void): () => void {
  waiting.add(work);
  if (reader) schedule();
  else void load().then(notifyWaiting);
  return () => void waiting.delete(work);
}

function schedule() {
  if (scheduled) return;
  scheduled = true;
  setTimeout(notifyWaiting, slice.rest);
}

function notifyWaiting() {
  scheduled = false;
  const works = [...waiting].slice(0, slice.formulas);
  for (const work of works) {
    waiting.delete(work);
    work();
  }
  if (waiting.size > 0) schedule();
}

function useFormula(token: MathToken): Formula | null | undefined {
  const key = keyOf(token);
  const [made, setMade] = useState(() => ({ key, formula: readNow(token) }));
  const current = made.key === key ? made.formula : read.get(key);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the token
  useEffect(() => {
    if (current !== undefined) return;
    let cancel = () => {};
    const attempt = () => {
      const found = readNow(token);
      if (found !== undefined) setMade({ key, formula: found });
      else if (loading) cancel = whenIdle(attempt);
    };
    cancel = whenIdle(attempt);
    return () => cancel();
  }, [key, current]);
  return current;
}

/** Shows the source as code until the formula is ready, or if it is invalid. */
export const MathView = memo(
  function MathView({ token }: { token: MathToken }): ReactNode {
    const found = useFormula(token);
    const shown = found ? found.element : <code>{found === null ? token.raw.trim() : token.text}</code>;
    const className = token.display ? 'md-math md-math-display' : 'md-math';
    if (found && found.glyphs <= widest) return <span className={className}>{shown}</span>;
    if (!found && !token.display) return <span className={className}>{shown}</span>;
    return (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
      <span className={`${className} md-math-wide`} role="group" aria-label={m.math_formula()} tabIndex={0}>
        {shown}
      </span>
    );
  },
  (before, after) => before.token.raw === after.token.raw && before.token.display === after.token.display,
);
