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
  const [seen, setSeen] = useState(prompt);
  const [now, setNow] = useState({ likes, isLiked });
  const [busy, setBusy] = useState(false);
  // The loader returned new data.
  if (seen !== prompt) {
    setSeen(prompt);
    setNow({ likes, isLiked });
  }

  async function press() {
    if (!me) return askToSignIn(promptTexts.like(), `/tools/prompts/${prompt.slug}`);
    if (busy) return;
    setBusy(true);
    const before = now;
    const wanted = !now.isLiked;
    setNow({ likes: Math.max(0, now.likes + (wanted ? 1 : -1)), isLiked: wanted });
    try {
      setNow(await like(id, wanted));
    } catch (error) {
      setNow(before);
      showRefusal(error, promptTexts.like());
    }
    setBusy(false);
  }

  return (
    <Button
      look="ghost"
      className="prompt-like aria-pressed:text-fg aria-pressed:[&_svg]:fill-current"
      aria-pressed={now.isLiked}
      aria-label={m.prompts_like_named({ title, count: now.likes })}
      onClick={() => void press()}
    >
      <Heart size={16} strokeWidth={1.75} aria-hidden="true" />
      <span aria-hidden="true">{now.likes}</span>
    </Button>
  );
}
