import { categoryNames, type Prompt, type PromptState } from '../contract.ts';

const states: Record<PromptState, string> = {
  private: 'Private',
  pending: 'Waiting for review',
  approved: 'Published',
  rejected: 'Not published',
  withdrawn: 'Taken out of the library',
};

/** What kind of prompt it is, in a line: category, the editor's rating or the community, Pro, and where an own one stands. */
export function Facts({ prompt: { category, editorRating, isPro, own } }: { prompt: Prompt }) {
  return (
    <p className="prompt-facts">
      <span>{categoryNames[category]}</span>
      {editorRating === null ? (
        <span>{own ? 'Yours' : 'From the community'}</span>
      ) : (
        <span>Editor’s rating {editorRating.toFixed(1)}</span>
      )}
      {isPro ? <span className="mark">Pro</span> : null}
      {own ? <span className="prompt-state">{states[own.state]}</span> : null}
    </p>
  );
}
