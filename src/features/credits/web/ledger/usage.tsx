import { featureTable } from '../../contract.ts';
import { type UsageView, usageDays } from '../../ledger/contract.ts';
import './usage.css';

const HEIGHT = 24;
/** Units of a day: a bar and the gap after it. */
const [BAR, STEP] = [4, 6];

const dayName = (from: string, index: number) => {
  const date = new Date(`${from}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + index);
  return date.toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
};

/** The runs of each day as bars on one line; all tools have one scale, so that they can be compared. */
function Bars({ days, most }: { days: number[]; most: number }) {
  return (
    <svg
      className="usage-bars"
      viewBox={`0 0 ${days.length * STEP - (STEP - BAR)} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {days.map((runs, index) => {
        const height = runs === 0 ? 1 : Math.max(3, (runs / most) * HEIGHT);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a day is its place in the row
            key={index}
            className={runs === 0 ? 'usage-none' : 'usage-some'}
            x={index * STEP}
            y={HEIGHT - height}
            width={BAR}
            height={height}
          />
        );
      })}
    </svg>
  );
}

/** Every day with its runs, as a table behind a press. */
function Days({ usage: { from, tools } }: { usage: UsageView }) {
  const used = tools.filter(({ runs }) => runs > 0);
  const days = Array.from({ length: usageDays }, (_, n) => usageDays - 1 - n).filter((index) =>
    used.some(({ days }) => (days[index] ?? 0) > 0),
  );
  return (
    <details className="usage-days">
      <summary>Day by day</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by the keyboard */}
      <section className="scroll-x" aria-label="Runs day by day" tabIndex={0}>
        <table className="figures">
          <thead>
            <tr>
              <th scope="col">Day (UTC)</th>
              {used.map(({ feature }) => (
                <th key={feature} scope="col" className="figure">
                  {featureTable[feature].name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((index) => (
              <tr key={index}>
                <th scope="row">{dayName(from, index)}</th>
                {used.map(({ feature, days: runs }) => (
                  <td key={feature} className="figure">
                    {runs[index]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

/** The use of the last 30 days, a line a tool: bars of its days, and beside them what they come to. */
export function Usage({ usage }: { usage: UsageView }) {
  const { from, tools } = usage;
  const most = Math.max(1, ...tools.flatMap(({ days }) => days));
  const sum = (of: 'runs' | 'credits') => tools.reduce((total, tool) => total + tool[of], 0);
  return (
    <>
      <table className="figures usage">
        <caption className="visually-hidden">{`Use of the last ${usageDays} days by tool`}</caption>
        <thead>
          <tr>
            <th scope="col">Tool</th>
            <th scope="col" className="usage-span">
              <span>{dayName(from, 0)}</span>
              <span>Today</span>
            </th>
            <th scope="col" className="figure">
              Runs
            </th>
            <th scope="col" className="figure">
              Credits
            </th>
          </tr>
        </thead>
        <tbody>
          {tools.map(({ feature, runs, credits, days }) => (
            <tr key={feature}>
              <th scope="row">{featureTable[feature].name}</th>
              <td className="usage-cell">
                <Bars days={days} most={most} />
              </td>
              <td className="figure">{runs}</td>
              <td className="figure">{credits}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              In all
            </th>
            <td className="figure">{sum('runs')}</td>
            <td className="figure">{sum('credits')}</td>
          </tr>
        </tfoot>
      </table>
      {sum('runs') > 0 ? (
        <Days usage={usage} />
      ) : (
        <p className="fine">Nothing was made in the last {usageDays} days.</p>
      )}
    </>
  );
}
