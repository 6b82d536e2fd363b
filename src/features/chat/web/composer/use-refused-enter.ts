import { useState } from 'react';

/** Whether Enter was pressed during the reply that runs (`live`, its key), at this place, since the text was changed. */
export function useRefusedEnter(live: string | undefined, place: string | null) {
  const [told, setTold] = useState<string | null>(null);
  const now = live === undefined ? null : `${live} ${place}`;
  return {
    refused: now !== null && told === now,
    refuse: () => setTold(now),
    forget: () => setTold(null),
  };
}
