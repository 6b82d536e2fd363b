import { type RefObject, useEffect, useRef } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import { toast } from '#client/page-events.ts';
import { m } from '#messages';
import { focusRestored } from './gallery/focus-targets.ts';
import type { ImageRequest } from './image-form.tsx';

interface ImageNavigationOptions {
  /** A new object each time the loader has run. */
  data: object;
  imageRequest: ImageRequest;
  change: (changed: ImageRequest) => void;
  box: RefObject<HTMLElement | null>;
  heading: RefObject<HTMLElement | null>;
}

export function useImageNavigation({ data, imageRequest, change, box, heading }: ImageNavigationOptions) {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const focusTarget = useRef<(() => HTMLElement | null) | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when new data has loaded
  useEffect(() => {
    focusTarget.current?.()?.focus();
    focusTarget.current = null;
  }, [data]);
  const onAgain = ({ prompt, size, count }: ImageRequest) => {
    change({ prompt, size, count });
    const undo = () => {
      change(imageRequest);
      box.current?.focus();
    };
    if (imageRequest.prompt.trim() !== '' && imageRequest.prompt !== prompt)
      toast({ text: m.images_prompt_replaced(), action: { label: m.common_undo(), run: undo } });
    box.current?.focus();
  };
  const onDeleted = () => {
    focusTarget.current = () => heading.current;
    void navigate('/tools/image', { replace: true });
  };
  const onRestored = (kind: 'job' | 'picture', id: string) => {
    focusTarget.current = () => focusRestored(kind, id);
    void revalidate();
  };
  return { onAgain, onDeleted, onRestored };
}
