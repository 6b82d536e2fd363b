import { m } from '#messages';
import { formatTextLength, sizeOf, type TextLength } from '#shared/text-length.ts';
import { formatRange, type Length, type LengthRange, rangeFit, rangeOf } from '../contract.ts';

const labels = {
  short: (size: number, { least }: LengthRange) => m.writer_meter_left({ count: least - size }),
  in: () => m.writer_meter_in(),
  over: (size: number, { most }: LengthRange) => m.writer_meter_over({ count: size - most }),
};

export function LengthMeter({ text, requested }: { text: TextLength; requested: Length }) {
  const [fit, range, size] = [rangeFit(text, requested), rangeOf(requested, text), sizeOf(text)];
  return (
    <div className="length-meter group grid max-w-80 min-w-0 flex-[0_1_20rem] gap-1.5" data-fit={fit}>
      <p className="text-sm">
        <strong className="group-data-[fit=in]:text-success group-data-[fit=over]:text-warning">
          {formatTextLength(text)}
        </strong>{' '}
        · {labels[fit](size, range)} · {formatRange(range)}
      </p>
      <progress
        className="meter"
        max={range.most}
        value={Math.min(size, range.most)}
        aria-label={m.writer_meter_label()}
      />
    </div>
  );
}
