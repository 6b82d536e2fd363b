import { useCallback, useRef, useState } from 'react';
import { isImageSize, type StartedImages } from '../contract.ts';
import { startImages } from './image-api.ts';
import type { ImageRequest } from './image-form.tsx';

export function useImageSubmit(
  onStarted: (started: StartedImages) => void,
  onRefused: (error: unknown) => void,
): { busy: boolean; send: (request: ImageRequest) => void } {
  const [busy, setBusy] = useState(false);
  const sending = useRef(false);
  const latest = useRef({ onStarted, onRefused });
  latest.current = { onStarted, onRefused };
  const send = useCallback((request: ImageRequest) => {
    if (sending.current) return;
    sending.current = true;
    setBusy(true);
    startImages(request)
      .then((started) => latest.current.onStarted(started))
      .catch((error: unknown) => latest.current.onRefused(error))
      .finally(() => {
        sending.current = false;
        setBusy(false);
      });
  }, []);
  return { busy, send };
}

/** Replaces stored values that are no longer offered. */
export const validImageRequest = (request: ImageRequest, fallback: ImageRequest): ImageRequest => ({
  prompt: request.prompt,
  size: isImageSize(request.size) ? request.size : fallback.size,
  count: [1, 2, 3, 4].includes(request.count) ? request.count : fallback.count,
});
