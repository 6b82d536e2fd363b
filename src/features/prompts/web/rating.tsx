import { Star } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { type Prompt, promptTexts } from '../contract.ts';
import { rate } from './api.ts';
import { tellRefusal } from './wishes.ts';
import './rating.css';

const stars = [1, 2, 3, 4, 5] as const;

/** Rates a prompt that the visitor has used; the same star again is no change, "Remove rating" takes it back. */
export function Rating({ prompt, onRated }: { prompt: Prompt; onRated: () => void }) {
  const name = useId();
  const [own, setOwn] = useState(prompt.ownRating);
  const [busy, setBusy] = useState(false);
  useEffect(() => setOwn(prompt.ownRating), [prompt.ownRating]);

  async function give(value: number | null) {
    if (busy) return;
    setBusy(true);
    const before = own;
    setOwn(value);
    try {
      setOwn((await rate(prompt.id, value)).ownRating);
      onRated();
    } catch (error) {
      setOwn(before);
      tellRefusal(error, promptTexts.rate);
    }
    setBusy(false);
  }

  return (
    <fieldset className="prompt-rating js-only">
      <legend className="eyebrow">Your rating</legend>
      <div className="prompt-stars">
        {stars.map((value) => (
          <label key={value} className="prompt-star" data-filled={own !== null && value <= own}>
            <input
              type="radio"
              className="visually-hidden"
              name={name}
              value={value}
              checked={own === value}
              onChange={() => void give(value)}
            />
            <Star size={20} strokeWidth={1.75} aria-hidden="true" />
            <span className="visually-hidden">{value === 1 ? '1 star' : `${value} stars`}</span>
          </label>
        ))}
      </div>
      {own === null ? (
        <p className="fine">You have used this prompt. How well did it work?</p>
      ) : (
        <button type="button" className="link fine" onClick={() => void give(null)}>
          Remove rating
        </button>
      )}
    </fieldset>
  );
}
