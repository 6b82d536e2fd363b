import { useCallback, useRef, useState } from 'react';
import { newId } from '../../../client/uuid.ts';
import { isImageSize, type StartedImages } from '../contract.ts';
import { startImages } from './api.ts';
import type { ImageWish } from './form/image-form.tsx';

/** Sends a wish once: while it is the same and no answer has come, a second press is the same run. */
export function useSending(
  onStarted: (started: StartedImages) => void,
  onRefused: (error: unknown) => void,
): { busy: boolean; send: (wish: ImageWish) => void } {
  const [busy, setBusy] = useState(false);
  const sending = useRef(false);
  const open = useRef<{ wish: string; key: string } | null>(null);
  const latest = useRef({ onStarted, onRefused });
  latest.current = { onStarted, onRefused };
  const send = useCallback((wish: ImageWish) => {
    if (sending.current) return;
    const wanted = JSON.stringify(wish);
    const key = open.current?.wish === wanted ? open.current.key : newId();
    open.current = { wish: wanted, key };
    sending.current = true;
    setBusy(true);
    startImages(wish, key)
      .then((started) => {
        open.current = null;
        latest.current.onStarted(started);
      })
      .catch((error: unknown) => latest.current.onRefused(error))
      .finally(() => {
        sending.current = false;
        setBusy(false);
      });
  }, []);
  return { busy, send };
}

/** What a browser kept may be older than the sizes of today. */
export const soundWish = (wish: ImageWish, otherwise: ImageWish): ImageWish => ({
  prompt: wish.prompt,
  size: isImageSize(wish.size) ? wish.size : otherwise.size,
  count: [1, 2, 3, 4].includes(wish.count) ? wish.count : otherwise.count,
});
