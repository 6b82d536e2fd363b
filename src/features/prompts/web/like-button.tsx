import { Heart } from 'lucide-react';
import { useState } from 'react';
import type { Me } from '#features/accounts/contract.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { type Prompt, promptTexts } from '../contract.ts';
import { like } from './prompts-api.ts';
import { askToSignIn, showRefusal } from './use-prompt-dialogs.ts';

export function LikeButton({ prompt, me }: { prompt: Prompt; me: Me | null }) {
  const { id, title, likes, isLiked } = prompt;
  const [loaded, setLoaded] = useState(prompt);
  const [shown, setShown] = useState({ likes, isLiked });
  const [busy, setBusy] = useState(false);
  // The loader returned new data.
  if (loaded !== prompt) {
    setLoaded(prompt);
    setShown({ likes, isLiked });
  }

  async function toggle() {
    if (!me) return askToSignIn(promptTexts.like(), `/tools/prompts/${prompt.slug}`);
    if (busy) return;
    setBusy(true);
    const previous = shown;
    const liked = !shown.isLiked;
    setShown({ likes: Math.max(0, shown.likes + (liked ? 1 : -1)), isLiked: liked });
    try {
      setShown(await like(id, liked));
    } catch (error) {
      setShown(previous);
      showRefusal(error, promptTexts.like());
    }
    setBusy(false);
  }

  return (
    <Button
      variant="ghost"
      className="prompt-like aria-pressed:text-fg aria-pressed:[&_svg]:fill-current"
      aria-pressed={shown.isLiked}
      aria-label={m.prompts_like_named({ title, count: shown.likes })}
      onClick={() => void toggle()}
    >
      <Heart size={16} strokeWidth={1.75} aria-hidden="true" />
      <span aria-hidden="true">{shown.likes}</span>
    </Button>
  );
}
