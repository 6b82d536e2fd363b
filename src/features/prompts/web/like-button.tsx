import { Heart } from 'lucide-react';
import { useState } from 'react';
import type { Me } from '../../accounts/contract.ts';
import { type Prompt, promptTexts } from '../contract.ts';
import { like } from './api.ts';
import { askToSignIn, tellRefusal } from './wishes.ts';

/** Likes a prompt, once a person; pressed again it takes the like back. The count is the server's. */
export function LikeButton({ prompt, me }: { prompt: Prompt; me: Me | null }) {
  const { id, title, likes, isLiked } = prompt;
  const [seen, setSeen] = useState(prompt);
  const [now, setNow] = useState({ likes, isLiked });
  const [busy, setBusy] = useState(false);
  // The page was loaded anew.
  if (seen !== prompt) {
    setSeen(prompt);
    setNow({ likes, isLiked });
  }

  async function press() {
    if (!me) return askToSignIn(promptTexts.like, `/tools/prompts/${prompt.slug}`);
    if (busy) return;
    setBusy(true);
    const before = now;
    const wanted = !now.isLiked;
    setNow({ likes: Math.max(0, now.likes + (wanted ? 1 : -1)), isLiked: wanted });
    try {
      setNow(await like(id, wanted));
    } catch (error) {
      setNow(before);
      tellRefusal(error, promptTexts.like);
    }
    setBusy(false);
  }

  const count = `${now.likes} ${now.likes === 1 ? 'like' : 'likes'}`;
  return (
    <button
      type="button"
      className="btn btn-ghost prompt-like"
      aria-pressed={now.isLiked}
      aria-label={`Like ${title}, ${count}`}
      onClick={() => void press()}
    >
      <Heart size={16} strokeWidth={1.75} aria-hidden="true" />
      <span aria-hidden="true">{now.likes}</span>
    </button>
  );
}
