import { ImagePlus } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import { priceLabel } from '#features/credits/web/price-label.ts';
import { type ImageSize, imageSizes } from '#features/images/contract.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import type { ChatProps } from '../state/chat-controls.ts';
import { offersImages, startDrawing } from './start-drawing.ts';

interface DrawBarProps extends ChatProps {
  box: RefObject<HTMLTextAreaElement | null>;
}

/** The message is a regular expression, in the reader's language, for the beginnings of image requests. */
const soundsLikeImage = (box: HTMLTextAreaElement | null) =>
  box !== null && new RegExp(m.chat_draw_pattern(), 'iu').test(box.value.slice(0, 200));

function useSoundsLikeImage(box: RefObject<HTMLTextAreaElement | null>): boolean {
  const [matches, setMatches] = useState(false);
  useEffect(() => {
    const listening = new AbortController();
    const check = () => setMatches(soundsLikeImage(box.current));
    check();
    box.current?.addEventListener('input', check, { signal: listening.signal });
    return () => listening.abort();
  }, [box]);
  return matches;
}

/** Shows that the message requests an image, or offers one if its words sound like it. */
export default function DrawBar({ box, state, controls }: DrawBarProps) {
  const { draw } = state.open;
  const sounds = useSoundsLikeImage(box);
  const focus = () => box.current?.focus({ preventScroll: true });
  if (!draw)
    return sounds && state.editing === null && offersImages(state) ? (
      <p className="flex px-1.5 pb-1">
        <Button
          variant="ghost"
          onClick={() => {
            if (startDrawing({ state, controls })) focus();
          }}
        >
          <ImagePlus size={16} strokeWidth={1.75} aria-hidden="true" />
          {priceLabel(m.chat_draw_instead(), state.me, 'image')}
        </Button>
      </p>
    ) : null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 ps-4 pe-[7px] pb-1 text-sm text-fg-muted">
      <p className="me-auto flex items-center gap-2" role="status">
        <ImagePlus size={16} strokeWidth={1.75} aria-hidden="true" />
        {priceLabel(m.chat_draw(), state.me, 'image')}
      </p>
      <select
        className="select w-auto"
        aria-label={m.images_size()}
        value={draw}
        onChange={({ target }) => controls.draw(target.value as ImageSize)}
      >
        {imageSizes.map(({ value, label, description }) => (
          <option key={value} value={value}>
            {description()} · {label}
          </option>
        ))}
      </select>
      <Button
        variant="ghost"
        onClick={() => {
          controls.draw(null);
          focus();
        }}
      >
        {m.common_cancel()}
      </Button>
    </div>
  );
}
