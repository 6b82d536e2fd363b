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
  const typed = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(typed.current), []);
  const go = (changed: Partial<GalleryQuery>) => {
    const wanted = { q: text, size: query.size, ...changed };
    const set = Object.entries(wanted).filter(([, value]) => value.trim() !== '');
    setParams(Object.fromEntries(set), { replace: true });
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
              clearTimeout(typed.current);
              typed.current = setTimeout(() => go({ q: value }), DEBOUNCE_MS);
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
            {m.images_size()}
          </label>
          <select
            className="select min-h-(--hit) py-1 md:text-sm"
            id={`${id}-size`}
            name="size"
            value={query.size}
            onChange={(event) => go({ size: event.target.value })}
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
