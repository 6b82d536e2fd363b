import { useEffect, useState } from 'react';
import { request } from '../../../../../client/request.ts';
import type { PromptPage } from '../../../../prompts/contract.ts';
import './finder.css';

/** Looks after a rest of as many milliseconds. */
const REST_MS = 200;
const MOST = 5;

interface PromptFinderProps {
  /** What is typed after the slash. */
  words: string;
  /** Before one of them is opened: what was typed to find it is no message. */
  onPick: () => void;
}

/** Prompts of the library that fit what is typed after a slash; each leads to its form. */
export default function PromptFinder({ words, onPick }: PromptFinderProps) {
  const [found, setFound] = useState<PromptPage | null>(null);
  useEffect(() => {
    const undo = new AbortController();
    const timer = setTimeout(() => {
      const path = `/api/prompts?q=${encodeURIComponent(words.trim())}`;
      request<PromptPage>(path, { signal: undo.signal })
        .then(setFound)
        // Nothing is lost: the slash is a text like others.
        .catch(() => undefined);
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      undo.abort();
    };
  }, [words]);
  if (!found) return null;
  const { prompts, total } = found;
  return (
    <section className="finder" aria-label="Prompts">
      <p className="fine" role="status">
        {total === 0
          ? 'No prompts found'
          : `${total} ${total === 1 ? 'prompt' : 'prompts'}; Shift+Tab leads to them`}
      </p>
      <ul>
        {prompts.slice(0, MOST).map(({ id, slug, title, description, isLocked }) => (
          <li key={id}>
            <a className="finder-prompt" href={`/tools/prompts/${slug}?use=1`} onClick={onPick} dir="auto">
              <span className="finder-title">{title}</span>
              <span className="fine">{isLocked ? 'Part of Pro' : description}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
