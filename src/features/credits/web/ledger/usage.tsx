import { locale, m } from '#messages';
import { messageFormat } from '#shared/message-format.ts';
import { featureTable } from '../../contract.ts';
import { hiddenUnlessUsed, type UsageView, usageDays } from '../../ledger/ledger-contract.ts';

const HEIGHT = 24;
/** In units of the SVG: the width of a day's bar, and of a bar with the gap after it. */
const [BAR, STEP] = [4, 6];

const figure = 'figure w-18 max-xs:w-15';

const dayName = (from: string, index: number) => {
  const date = new Date(`${from}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + index);
  return messageFormat.date(locale(), date, { month: 'short', day: 'numeric', timeZone: 'UTC' });
};

/** All tools share one scale, so that they can be compared. */
function Bars({ days, maxRuns }: { days: number[]; maxRuns: number }) {
  return (
    <svg
      className="block w-full h-6"
      viewBox={`0 0 ${days.length * STEP - (STEP - BAR)} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {days.map((runs, index) => {
        const height = runs === 0 ? 1 : Math.max(3, (runs / maxRuns) * HEIGHT);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a day is its place in the row
            key={index}
            className={runs === 0 ? 'fill-line' : 'fill-fg forced-colors:fill-[CanvasText]'}
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

function Days({ usage: { from, tools } }: { usage: UsageView }) {
  const used = tools.filter(({ runs }) => runs > 0);
  const days = Array.from({ length: usageDays }, (_, n) => usageDays - 1 - n).filter((index) =>
    used.some(({ days }) => (days[index] ?? 0) > 0),
  );
  return (
    <details>
      <summary className="min-h-(--hit) w-max cursor-pointer content-center text-[length:var(--text-sm)]">
        {m.usage_by_day()}
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by the keyboard */}
      <section className="scroll-x" aria-label={m.usage_by_day_label()} tabIndex={0}>
        <table className="figures">
          <thead>
            <tr>
              <th scope="col">{m.usage_day()}</th>
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

export function Usage({ usage }: { usage: UsageView }) {
  const { from } = usage;
  const tools = usage.tools.filter(({ feature, runs }) => !hiddenUnlessUsed.includes(feature) || runs > 0);
  const maxRuns = Math.max(1, ...tools.flatMap(({ days }) => days));
  const sum = (key: 'runs' | 'credits') => tools.reduce((total, tool) => total + tool[key], 0);
  return (
    <>
      <table className="figures usage">
        <caption className="visually-hidden">{m.usage_caption({ count: usageDays })}</caption>
        <thead>
          <tr>
            <th scope="col">{m.usage_tool()}</th>
            <th scope="col" className="[&>span:last-child]:float-right">
              <span>{dayName(from, 0)}</span>
              <span>{m.usage_today()}</span>
            </th>
            <th scope="col" className={figure}>
              {m.usage_uses()}
            </th>
            <th scope="col" className={figure}>
              {m.usage_credits()}
            </th>
          </tr>
        </thead>
        <tbody>
          {tools.map(({ feature, runs, credits, days }) => (
            <tr key={feature}>
              <th
                className="[&[scope=row]]:w-34 [&[scope=row]]:font-normal max-xs:[&[scope=row]]:w-26"
                scope="row"
              >
                {featureTable[feature].name}
              </th>
              <td className="[vertical-align:bottom]">
                <Bars days={days} maxRuns={maxRuns} />
              </td>
              <td className={figure}>{runs}</td>
              <td className={figure}>{credits}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th
              className="[&[scope=row]]:w-34 [&[scope=row]]:font-normal font-semibold border-b-0 max-xs:[&[scope=row]]:w-26"
              scope="row"
              colSpan={2}
            >
              {m.usage_total()}
            </th>
            <td className="figure w-18 font-semibold border-b-0 max-xs:w-15">{sum('runs')}</td>
            <td className="figure w-18 font-semibold border-b-0 max-xs:w-15">{sum('credits')}</td>
          </tr>
        </tfoot>
      </table>
      <Days usage={usage} />
    </>
  );
}
