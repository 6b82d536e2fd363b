import { categoryNames, type Prompt, type PromptState } from '../contract.ts';

const states: Record<PromptState, string> = {
  private: 'Private',
  pending: 'Waiting for review',
  approved: 'Published',
  rejected: 'Not published',
  withdrawn: 'Taken out of the library',
};

/** The rating of people who used it, or an editor's, where there is one. */
function RatingFact({ prompt: { rating, editorRating } }: { prompt: Prompt }) {
  if (rating)
    return (
      <span>
        {rating.average.toFixed(1)} of 5 from {rating.count} ratings
      </span>
    );
  if (editorRating)
    return (
      <span>
        Editor’s rating {editorRating.value.toFixed(1)} of 5: {editorRating.reason}
      </span>
    );
  return null;
}

/** What kind of prompt it is, in a line: category, rating, whose it is, Pro, and where an own one stands. */
export function Facts({ prompt }: { prompt: Prompt }) {
  const { category, isPro, isCurated, own } = prompt;
  return (
    <p className="prompt-facts">
      <span>{categoryNames[category]}</span>
      <RatingFact prompt={prompt} />
      {isCurated ? null : <span>{own ? 'Yours' : 'From the community'}</span>}
      {isPro ? <span className="mark">Pro</span> : null}
      {own ? <span className="prompt-state">{states[own.state]}</span> : null}
    </p>
  );
}
