import { fitOf, inWords, type WordRange } from '../contract.ts';

const figures = new Intl.NumberFormat('en-US');

const said = {
  short: (words: number, { least }: WordRange) => `${figures.format(least - words)} to go`,
  in: () => 'in range',
  over: (words: number, { most }: WordRange) => `${figures.format(words - most)} over`,
};

/** The words of a text against what was asked for, in figures and as a bar: short, in range, over. */
export function WordMeter({ words, range }: { words: number; range: WordRange }) {
  const fit = fitOf(words, range);
  return (
    <div className="word-meter" data-fit={fit}>
      <p className="text-sm">
        <strong>{figures.format(words)}</strong> / {inWords(range)}, {said[fit](words, range)}
      </p>
      <progress
        className="meter"
        max={range.most}
        value={Math.min(words, range.most)}
        aria-label="Words against the length asked for"
      />
    </div>
  );
}
