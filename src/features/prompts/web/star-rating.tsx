import { Star } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { m } from '#messages';
import { type Prompt, promptTexts } from '../contract.ts';
import { rate } from './prompts-api.ts';
import { showRefusal } from './use-prompt-dialogs.ts';

const stars = [1, 2, 3, 4, 5] as const;

export function StarRating({ prompt, onRated }: { prompt: Prompt; onRated: () => void }) {
  const name = useId();
  const [own, setOwn] = useState(prompt.ownRating);
  const [busy, setBusy] = useState(false);
  useEffect(() => setOwn(prompt.ownRating), [prompt.ownRating]);

  async function saveRating(value: number | null) {
    if (busy) return;
    setBusy(true);
    const previous = own;
    setOwn(value);
    try {
      setOwn((await rate(prompt.id, value)).ownRating);
      onRated();
    } catch (error) {
      setOwn(previous);
      showRefusal(error, promptTexts.rate());
    }
    setBusy(false);
  }

  return (
    <fieldset className="prompt-rating js-only grid justify-items-start gap-1">
      <legend className="eyebrow">{m.prompts_your_rating()}</legend>
      <div className="flex -ms-2">
        {stars.map((value) => (
          <label
            key={value}
            className="relative grid place-items-center min-w-(--hit) min-h-(--hit) rounded-sm text-fg-muted cursor-pointer hover:text-fg hover:bg-sunken [&[data-filled=true]]:text-fg [&[data-filled=true]_svg]:fill-current has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-ring"
            data-filled={own !== null && value <= own}
          >
            <input
              type="radio"
              className="visually-hidden"
              name={name}
              value={value}
              checked={own === value}
              onChange={() => void saveRating(value)}
            />
            <Star size={20} strokeWidth={1.75} aria-hidden="true" />
            <span className="visually-hidden">{m.prompts_star({ count: value })}</span>
          </label>
        ))}
      </div>
      {own === null ? (
        <p className="fine">{m.prompts_rate_ask()}</p>
      ) : (
        <button type="button" className="link fine" onClick={() => void saveRating(null)}>
          {m.prompts_rate_remove()}
        </button>
      )}
    </fieldset>
  );
}
