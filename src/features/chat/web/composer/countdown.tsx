import { useEffect, useState } from 'react';
import { inWords } from '../../../../shared/duration.ts';

/** Counts down to the moment at which trying again makes sense, and then says so. Sends nothing. */
export function Countdown({ until }: { until: number }) {
  const [left, setLeft] = useState(() => until - Date.now());
  const over = left <= 0;
  useEffect(() => {
    if (over) return;
    const tick = () => setLeft(until - Date.now());
    const timer = setInterval(tick, 1000);
    // A page that was hidden counts less often.
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [until, over]);
  return (
    <>
      {over ? null : <p role="timer">Try again in {inWords(left)}.</p>}
      <p role="status">{over ? 'It can be sent again now.' : null}</p>
    </>
  );
}
