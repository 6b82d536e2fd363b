import { useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import { announce, prepareAnnouncer } from './announce.ts';

export function useClipboard(): { copied: boolean; copy: (text: string) => void } {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    prepareAnnouncer();
    return () => clearTimeout(timer.current);
  }, []);
  const copy = (text: string) => {
    navigator.clipboard
      ?.writeText(text)
      .then(() => {
        announce(m.copied());
        setCopied(true);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => setCopied(false), 2_000);
      })
      .catch(() => undefined);
  };
  return { copied, copy };
}
