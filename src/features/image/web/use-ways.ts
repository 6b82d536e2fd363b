import { type RefObject, useEffect, useRef } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import { toast } from '../../../client/page-events.ts';
import type { ImageWish } from './form/image-form.tsx';
import { broughtBack } from './gallery/focus.ts';
import type { ShownJob } from './gallery/use-gallery.ts';
import type { ImagePageData } from './image-page.tsx';

interface WaysProps {
  data: ImagePageData;
  wish: ImageWish;
  change: (changed: ImageWish) => void;
  box: RefObject<HTMLElement | null>;
  heading: RefObject<HTMLElement | null>;
}

/** What leads from a request back to the form or to the gallery, and where the focus is then. */
export function useWays({ data, wish, change, box, heading }: WaysProps) {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  /** What takes the focus once the page has its data anew. */
  const arrival = useRef<(() => HTMLElement | null) | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the data is what it waits for
  useEffect(() => {
    arrival.current?.()?.focus();
    arrival.current = null;
  }, [data]);
  const onAgain = ({ prompt, size, count }: ShownJob) => {
    change({ prompt, size, count });
    const undo = () => {
      change(wish);
      box.current?.focus();
    };
    if (wish.prompt.trim() !== '' && wish.prompt !== prompt)
      toast({ text: 'Prompt replaced.', action: { label: 'Undo', run: undo } });
    if (!data.job) return box.current?.focus();
    arrival.current = () => box.current;
    void navigate('/tools/image');
  };
  const onGone = () => {
    arrival.current = () => heading.current;
    void navigate('/tools/image', { replace: true });
  };
  const onBack = (what: 'job' | 'picture', id: string) => {
    arrival.current = () => broughtBack(what, id);
    void revalidate();
  };
  return { onAgain, onGone, onBack };
}
