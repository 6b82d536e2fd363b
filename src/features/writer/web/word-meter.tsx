import { m } from '#messages';
import { formatWordRange, rangeFit, type WordRange } from '../contract.ts';

const said = {
  short: (words: number, { least }: WordRange) => m.writer_meter_left({ count: least - words }),
  in: () => m.writer_meter_in(),
  over: (words: number, { most }: WordRange) => m.writer_meter_over({ count: words - most }),
};

export function WordMeter({ words, range }: { words: number; range: WordRange }) {
  const fit = rangeFit(words, range);
  return (
    <div className="word-meter group grid max-w-80 min-w-0 flex-[0_1_20rem] gap-1.5" data-fit={fit}>
      <p className="text-sm">
        <strong className="group-data-[fit=in]:text-success group-data-[fit=over]:text-warning">
          {m.common_words({ count: words })}
        </strong>{' '}
        · {said[fit](words, range)} · {formatWordRange(range)}
      </p>
      <progress
        className="meter"
        max={range.most}
        value={Math.min(words, range.most)}
        aria-label={m.writer_meter_label()}
      />
    </div>
  );
}
