import type { Promotion } from '../../../../content/site.ts';

const longDate = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** A promotion with its last day, and with a label where it is a sample. */
export function PromotionLine({ promotion: { text, lastDay, code, sample } }: { promotion: Promotion }) {
  return (
    <p className="text-sm">
      <strong className="mark font-semibold">{text}</strong>{' '}
      {code ? `with the code ${code} at checkout, ` : ''}
      until <time dateTime={lastDay}>{longDate.format(new Date(lastDay))}</time>
      {sample ? <span className="fine"> (a sample, shown only in the sandbox)</span> : null}
    </p>
  );
}
