import city from '#content/samples/city.webp?url';
import kettle from '#content/samples/kettle.webp?url';
import nook from '#content/samples/nook.webp?url';
import pears from '#content/samples/pears.webp?url';
import saturn from '#content/samples/saturn.webp?url';
import whale from '#content/samples/whale.webp?url';
import { m } from '#messages';
import { sampleImagesNote } from '#shared/sample-notes.ts';
import type { ImageSize } from '../../contract.ts';

const wide: ImageSize = '768x512';
const square: ImageSize = '1024x1024';

const samples = [
  { src: whale, prompt: m.images_sample_whale, size: wide },
  { src: pears, prompt: m.images_sample_pears, size: square },
  { src: kettle, prompt: m.images_sample_kettle, size: wide },
  { src: city, prompt: m.images_sample_city, size: square },
  { src: saturn, prompt: m.images_sample_saturn, size: square },
  { src: nook, prompt: m.images_sample_nook, size: square },
];

export type UsePrompt = (request: { prompt: string; size: ImageSize; count: number }) => void;

export function SamplePrompts({ onUse }: { onUse: UsePrompt }) {
  return (
    <div className="grid gap-4 py-5">
      <p className="muted">{m.images_samples()}</p>
      <ul className="grid grid-cols-2 gap-4 md:grid-cols-3">
        {samples.map(({ src, prompt, size }) => (
          <li key={src}>
            <button
              type="button"
              className="group grid w-full content-start gap-2 text-start text-sm"
              aria-label={m.images_sample_use({ prompt: prompt() })}
              onClick={() => onUse({ prompt: prompt(), size, count: 1 })}
            >
              <img
                className="aspect-3/2 w-full rounded-sm border border-line object-cover"
                src={src}
                alt=""
                width={720}
                height={480}
                loading="lazy"
                decoding="async"
              />
              <span className="underline-offset-4 group-hover:underline">{prompt()}</span>
            </button>
          </li>
        ))}
      </ul>
      <p className="fine">{sampleImagesNote()}</p>
    </div>
  );
}
