import { useEffect, useState } from 'react';
import { m } from '#messages';

const elapsedText = (seconds: number) =>
  seconds < 60
    ? m.images_elapsed({ seconds })
    : m.images_elapsed_minutes({ minutes: Math.floor(seconds / 60), seconds: seconds % 60 });

/** Rendered only in the browser, because its clock may differ from the server's. */
export function ElapsedTime({ since }: { since: string }) {
  const [seconds, setSeconds] = useState<number | null>(null);
  useEffect(() => {
    const update = () => setSeconds(Math.max(0, Math.round((Date.now() - Date.parse(since)) / 1000)));
    update();
    const timer = setInterval(update, 1_000);
    return () => clearInterval(timer);
  }, [since]);
  return seconds === null ? null : <span className="tabular-nums">{elapsedText(seconds)}</span>;
}
