import { useRef, useState } from 'react';

/**
 * Another work that is opened is another instance of what shows it; one that was begun here goes on in the instance that
 * began it while the address takes on its id.
 * @returns the key of the instance, and what to call with the id of a work that was begun in it.
 */
export function useInstance({ opened, missing }: { opened: { id: string } | null; missing: boolean }) {
  const name = opened?.id ?? (missing ? 'missing' : 'new');
  const adopted = useRef<string | null>(null);
  const [known, setKnown] = useState({ name, key: 0 });
  const shown =
    known.name === name ? known : { name, key: name === adopted.current ? known.key : known.key + 1 };
  if (shown !== known) setKnown(shown);
  const adopt = (id: string) => {
    adopted.current = id;
  };
  return { key: shown.key, adopt };
}
