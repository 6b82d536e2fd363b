import { useEffect, useId, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { m } from '#messages';
import { imageLimits, imageSizes } from '../../contract.ts';

const DEBOUNCE_MS = 300;

export interface GalleryQuery {
  q: string;
  size: string;
}

/** Works without scripts, as a plain form. */
export function GalleryFilters({ query, found }: { query: GalleryQuery; found: string }) {
  const id = useId();
  const [, setParams] = useSearchParams();
  const [text, setText] = useState(query.q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const applyFilters = (changed: Partial<GalleryQuery>) => {
    const filters = { q: text, size: query.size, ...changed };
    const nonEmpty = Object.entries(filters).filter(([, value]) => value.trim() !== '');
    setParams(Object.fromEntries(nonEmpty), { replace: true });
  };
  return (
    <search className="max-w-96 min-w-[min(100%,16rem)] flex-[0_1_24rem]" aria-label={m.images_list()}>
      <form className="grid grid-cols-[minmax(0,1fr)_9.5rem] gap-2" method="get" action="/tools/image">
        <div className="field">
          <label className="visually-hidden" htmlFor={`${id}-q`}>
            {m.images_search_label()}
          </label>
          <input
            className="input min-h-(--hit) py-1 md:text-sm"
            id={`${id}-q`}
            type="search"
            name="q"
            maxLength={imageLimits.search}
            placeholder={m.images_search()}
            value={text}
            onChange={(event) => {
              const { value } = event.target;
              setText(value);
              clearTimeout(timer.current);
              timer.current = setTimeout(() => applyFilters({ q: value }), DEBOUNCE_MS);
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              clearTimeout(timer.current);
              applyFilters({});
            }}
          />
        </div>
        <div className="field">
          <label className="visually-hidden" htmlFor={`${id}-size`}>
            {m.images_size()}
          </label>
          <select
            className="select min-h-(--hit) py-1 md:text-sm"
            id={`${id}-size`}
            name="size"
            value={query.size}
            onChange={(event) => applyFilters({ size: event.target.value })}
          >
            <option value="">{m.images_all_sizes()}</option>
            {imageSizes.map(({ value, label, description }) => (
              <option key={value} value={value}>
                {label} {description()}
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
