import { Search } from 'lucide-react';
import type { Key, Ref } from 'react';
import { m } from '#messages';
import { IconButton } from './icon-button.tsx';

/** For a link that filters or sorts a list; `aria-current` marks the active one. */
export const filterClass =
  'inline-flex items-center min-h-(--hit) px-3 border rounded-sm text-sm text-fg-muted border-transparent hover:text-fg hover:bg-sunken [&[aria-current]]:border-line-strong [&[aria-current]]:bg-surface [&[aria-current]]:text-fg [&[aria-current]]:font-semibold forced-colors:aria-[current]:border-2 forced-colors:aria-[current]:border-[Highlight]';

interface SearchBoxProps {
  id: string;
  action: string;
  label: string;
  placeholder: string;
  maxLength: number;
  /** Words of the search in the address. */
  words: string;
  /** Other parameters of the address, which the search keeps. */
  otherParameters: Readonly<Record<string, string | null>>;
  /** A new value resets the box to `words`. */
  resetKey?: Key;
  box?: Ref<HTMLInputElement>;
  onType?: (form: HTMLFormElement | null) => void;
  onSearch: (form: HTMLFormElement) => void;
}

/** Searches the list of a page through its address, so it works without scripts. */
export function SearchBox(props: SearchBoxProps) {
  const {
    id,
    action,
    label,
    placeholder,
    maxLength,
    words,
    otherParameters,
    resetKey,
    box,
    onType,
    onSearch,
  } = props;
  return (
    <search className="relative flex-[1_1_16rem] max-w-96 max-md:max-w-none">
      <form
        action={action}
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(event.currentTarget);
        }}
      >
        <label className="visually-hidden" htmlFor={id}>
          {label}
        </label>
        <input
          key={resetKey}
          ref={box}
          // Depends on both the page’s direction and that of the words in the box, which may differ.
          className="input ltr:pr-13 rtl:pl-13"
          id={id}
          type="search"
          name="q"
          dir="auto"
          placeholder={placeholder}
          autoComplete="off"
          maxLength={maxLength}
          defaultValue={words}
          onChange={(event) => onType?.(event.currentTarget.form)}
        />
        {Object.entries(otherParameters).map(([name, value]) =>
          value === null ? null : <input key={name} type="hidden" name={name} value={value} />,
        )}
        <IconButton
          type="submit"
          className="absolute [inset-block:0] end-0 w-11 h-auto"
          label={m.common_search()}
          Icon={Search}
        />
      </form>
    </search>
  );
}
