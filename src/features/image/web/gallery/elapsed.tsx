import { useEffect, useState } from 'react';

const spoken = (seconds: number) =>
  seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;

/** The time since a moment, ticking; nothing until the page runs, whose clock may differ from the server's. */
export function Elapsed({ since }: { since: string }) {
  const [seconds, setSeconds] = useState<number | null>(null);
  useEffect(() => {
    const look = () => setSeconds(Math.max(0, Math.round((Date.now() - Date.parse(since)) / 1000)));
    look();
    const timer = setInterval(look, 1_000);
    return () => clearInterval(timer);
  }, [since]);
  return seconds === null ? null : <span className="image-elapsed">{spoken(seconds)}</span>;
}
