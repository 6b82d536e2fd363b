import { useRef, useState } from 'react';

/** A key for each opened work; a work that was begun here keeps its instance when the address takes on its id. */
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
