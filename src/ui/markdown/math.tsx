import { memo, type ReactNode, useEffect, useState } from 'react';
import { m } from '#messages';
import type { Formula, formula } from './math-elements.ts';
import type { MathToken } from './math-source.ts';

const maxNarrowGlyphs = 24;
/** Milliseconds of work per slice and of rest between slices; formulas per slice and in the cache. */
const slice = { work: 8, formulas: 20, rest: 16, cacheSize: 500 };

const cache = new Map<string, Formula | null>();
let convert: typeof formula | null = null;
let loading: Promise<void> | null = null;
const waiting = new Set<() => void>();
let workedMs = 0;
let sliceStart = 0;

const keyOf = ({ text, display }: MathToken) => `${display ? 'd' : 'i'}${text}`;

function readNow(token: MathToken): Formula | null | undefined {
  const key = keyOf(token);
  const cached = cache.get(key);
  if (cached !== undefined || !convert) return cached;
  const startedAt = performance.now();
  if (startedAt - sliceStart > slice.rest) {
    sliceStart = startedAt;
    workedMs = 0;
  }
  if (workedMs > slice.work) return undefined;
  const result = convert(token.text, token.display);
  workedMs += performance.now() - startedAt;
  if (cache.size >= slice.cacheSize) cache.delete(cache.keys().next().value!);
  cache.set(key, result);
  return result;
}

function load(): Promise<void> {
  loading ??= import('./math-elements.ts').then(
    (module) => {
      convert = module.formula;
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
  if (convert) schedule();
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
  const tasks = [...waiting].slice(0, slice.formulas);
  for (const work of tasks) {
    waiting.delete(work);
    work();
  }
  if (waiting.size > 0) schedule();
}

function useFormula(token: MathToken): Formula | null | undefined {
  const key = keyOf(token);
  const [result, setResult] = useState(() => ({ key, formula: readNow(token) }));
  const current = result.key === key ? result.formula : cache.get(key);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the token
  useEffect(() => {
    if (current !== undefined) return;
    let cancel = () => {};
    const attempt = () => {
      const found = readNow(token);
      if (found !== undefined) setResult({ key, formula: found });
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
    if (found && found.glyphs <= maxNarrowGlyphs) return <span className={className}>{shown}</span>;
    if (!found && !token.display) return <span className={className}>{shown}</span>;
    return (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
      <span className={`${className} md-math-wide`} role="group" aria-label={m.math_formula()} tabIndex={0}>
        {shown}
      </span>
    );
  },
  (previous, next) => previous.token.raw === next.token.raw && previous.token.display === next.token.display,
);
