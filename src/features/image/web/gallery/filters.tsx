import { useEffect, useId, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { imageLimits, imageSizes } from '../../contract.ts';

/** Milliseconds after the last key at which the gallery is searched. */
const PAUSE_MS = 300;

export interface Query {
  q: string;
  size: string;
}

/** Search in prompts and the size, both in the address. Works as a plain form too. */
export function Filters({ query, found }: { query: Query; found: string }) {
  const id = useId();
  const [, setParams] = useSearchParams();
  const [text, setText] = useState(query.q);
  const typed = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(typed.current), []);
  const go = (changed: Partial<Query>) => {
    const wanted = { q: text, size: query.size, ...changed };
    const set = Object.entries(wanted).filter(([, value]) => value.trim() !== '');
    setParams(Object.fromEntries(set), { replace: true, preventScrollReset: true });
  };
  return (
    <search className="image-search" aria-label="Your images">
      <form className="image-filters" method="get" action="/tools/image">
        <div className="field">
          <label className="visually-hidden" htmlFor={`${id}-q`}>
            Search in your prompts
          </label>
          <input
            className="input"
            id={`${id}-q`}
            type="search"
            name="q"
            maxLength={imageLimits.search}
            placeholder="Search prompts"
            value={text}
            onChange={(event) => {
              const { value } = event.target;
              setText(value);
              clearTimeout(typed.current);
              typed.current = setTimeout(() => go({ q: value }), PAUSE_MS);
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              clearTimeout(typed.current);
              go({});
            }}
          />
        </div>
        <div className="field">
          <label className="visually-hidden" htmlFor={`${id}-size`}>
            Size
          </label>
          <select
            className="select"
            id={`${id}-size`}
            name="size"
            value={query.size}
            onChange={(event) => go({ size: event.target.value })}
          >
            <option value="">All sizes</option>
            {imageSizes.map(({ value, label, description }) => (
              <option key={value} value={value}>
                {label} {description}
              </option>
            ))}
          </select>
        </div>
        <p className="visually-hidden" role="status">
          {found}
        </p>
      </form>
    </search>
  );
}
