import { m } from '#messages';
import { categoryNames, type Prompt, type PromptState } from '../contract.ts';

const states: Record<PromptState, () => string> = {
  private: m.prompts_state_private,
  pending: m.prompts_state_pending,
  approved: m.prompts_state_approved,
  rejected: m.prompts_state_rejected,
  withdrawn: m.prompts_state_withdrawn,
};

function RatingSummary({ prompt: { rating, editorRating } }: { prompt: Prompt }) {
  if (rating) return <span>{m.prompts_rating({ average: rating.average, count: rating.count })}</span>;
  if (editorRating) return <span>{m.prompts_rating_editor(editorRating)}</span>;
  return null;
}

export function PromptMeta({ prompt }: { prompt: Prompt }) {
  const { category, isPro, isCurated, own } = prompt;
  return (
    <p className="prompt-facts flex flex-wrap gap-y-1 gap-x-3 items-baseline text-xs text-fg-muted">
      <span>{categoryNames[category]()}</span>
      <RatingSummary prompt={prompt} />
      {isCurated ? null : <span>{own ? m.prompts_yours() : m.prompts_community()}</span>}
      {isPro ? (
        <span className="rounded-full border border-line-strong px-2 font-semibold text-fg">
          {m.plan_pro()}
        </span>
      ) : null}
      {own ? <span className="font-semibold text-fg">{states[own.state]()}</span> : null}
    </p>
  );
}
