import { Square } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { toast } from '#client/page-events.ts';
import { MissingVoiceError, readAloud } from '#client/read-aloud.ts';
import { locale, m } from '#messages';

const languageName = (language: string) =>
  new Intl.DisplayNames(locale(), { type: 'language' }).of(language) ?? language;

function failureMessage(error: unknown): string {
  return error instanceof MissingVoiceError
    ? m.chat_read_no_voice({ language: languageName(error.language) })
    : m.chat_read_failed();
}

interface ReadAloudProps {
  text: string;
  onEnd: () => void;
}

/** Reads a reply aloud while it is mounted. At the end the focus moves to the next button. */
export function ReadAloud({ text, onEnd }: ReadAloudProps) {
  const button = useRef<HTMLButtonElement>(null);
  const finish = () => {
    const { current } = button;
    if (current === document.activeElement)
      (current?.nextElementSibling as HTMLElement | null)?.focus({ preventScroll: true });
    onEnd();
  };
  const atEnd = useRef(finish);
  useEffect(() => {
    atEnd.current = finish;
  });
  useEffect(() => {
    const controller = new AbortController();
    button.current?.focus({ preventScroll: true });
    readAloud(text, { fallbackLanguage: locale(), signal: controller.signal })
      .catch((error: unknown) => toast({ text: failureMessage(error), kind: 'danger' }))
      .finally(() => {
        if (!controller.signal.aborted) atEnd.current();
      });
    return () => controller.abort();
  }, [text]);
  return (
    <button ref={button} type="button" className="turn-button" onClick={finish}>
      <Square size={16} strokeWidth={1.75} aria-hidden="true" />
      {m.chat_read_stop()}
    </button>
  );
}
