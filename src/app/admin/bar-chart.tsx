import { scaleBand, scaleLinear } from 'd3-scale';

interface Bar {
  label: string;
  value: number;
  /** The share of `value` that is drawn in another color. */
  part?: number;
}

interface BarChartProps {
  title: string;
  bars: Bar[];
  format: (value: number) => string;
  /** Column headings of the table of values. */
  columns: readonly [label: string, value: string, part?: string];
  /** Shown in place of the chart if all values are 0. */
  emptyText: string;
}

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [720, 200, 64, 20, 8];
const TICKS = 4;
const MAX_LABELS = 8;

/** Two SVGs with the same scale, so that the axis stays visible. The page's policy forbids inline styles. */
function Bars({ title, bars, format }: Omit<BarChartProps, 'columns' | 'emptyText'>) {
  const x = scaleBand(
    bars.map(({ label }) => label),
    [LEFT, WIDTH],
  ).padding(0.2);
  const max = Math.max(...bars.map(({ value }) => value), 0);
  const y = scaleLinear([0, max || 1], [HEIGHT - BOTTOM, TOP]).nice(TICKS);
  const labelStep = Math.ceil(bars.length / MAX_LABELS);
  const barHeight = (value: number) => y(0) - y(value);
  return (
    <div className="grid w-full min-w-[36rem] grid-cols-[64fr_656fr] text-fg">
      <svg
        viewBox={`0 0 ${LEFT} ${HEIGHT}`}
        aria-hidden="true"
        className="sticky left-0 bg-bg text-fg-muted"
        fontSize="11"
        fill="currentColor"
      >
        {y.ticks(TICKS).map((tick) => (
          <text key={tick} x={LEFT - 8} y={y(tick)} textAnchor="end" dominantBaseline="middle">
            {format(tick)}
          </text>
        ))}
      </svg>
      <svg
        viewBox={`${LEFT} 0 ${WIDTH - LEFT} ${HEIGHT}`}
        role="img"
        aria-label={`${title}. The table below has the values.`}
        fontSize="11"
        fill="currentColor"
      >
        {y.ticks(TICKS).map((tick) => (
          <line key={tick} x1={LEFT} x2={WIDTH} y1={y(tick)} y2={y(tick)} className="stroke-line" />
        ))}
        {bars.map(({ label, value, part = 0 }) => (
          <g key={label}>
            <title>{`${label}: ${format(value)}`}</title>
            <rect x={x(label)} width={x.bandwidth()} y={y(value)} height={barHeight(value)} />
            <rect
              x={x(label)}
              width={x.bandwidth()}
              y={y(value)}
              height={barHeight(part)}
              className="fill-danger"
            />
          </g>
        ))}
        {bars.map(({ label }, at) =>
          at % labelStep === 0 ? (
            <text
              key={label}
              x={(x(label) ?? 0) + x.bandwidth() / 2}
              y={HEIGHT - 4}
              textAnchor="middle"
              className="text-fg-muted"
              fill="currentColor"
            >
              {label.length > 10 ? label.slice(0, 10) : label.replace(/^\d{4}-/, '')}
            </text>
          ) : null,
        )}
      </svg>
    </div>
  );
}

export function BarChart({ columns, emptyText, ...chart }: BarChartProps) {
  const { title, bars, format } = chart;
  const [label, value, part] = columns;
  if (bars.every((bar) => bar.value === 0))
    return (
      <section className="grid gap-2" aria-label={title}>
        <h2 className="h3">{title}</h2>
        <p className="muted text-sm">{emptyText}</p>
      </section>
    );
  return (
    <figure className="grid gap-2" aria-label={title}>
      <figcaption className="h3">{title}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section className="scroll-x flex flex-row-reverse" aria-label={`Chart: ${title}`} tabIndex={0}>
        <Bars {...chart} />
      </section>
      <details className="text-sm">
        <summary className="link w-fit cursor-pointer">View as a table</summary>
        <table className="figures mt-2 max-w-lg">
          <thead>
            <tr>
              <th scope="col">{label}</th>
              <th scope="col" className="figure normal-nums">
                {value}
              </th>
              {part ? (
                <th scope="col" className="figure normal-nums">
                  {part}
                </th>
              ) : null}
            </tr>
          </thead>
          <tbody>
            {bars.map((bar) => (
              <tr key={bar.label}>
                <th scope="row" className="font-normal">
                  {bar.label}
                </th>
                <td className="figure normal-nums">{format(bar.value)}</td>
                {part ? <td className="figure normal-nums">{format(bar.part ?? 0)}</td> : null}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
