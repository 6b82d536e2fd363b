import { locale, m } from '#messages';
import { scriptFormats } from '../contract.ts';

export function SupportedApps() {
  const list = new Intl.ListFormat(locale(), { type: 'unit' });
  return (
    <section className="grid content-start gap-3" aria-labelledby="platforms-title">
      <h2 className="h3" id="platforms-title">
        {m.script_apps()}
      </h2>
      <dl className="border-t border-line">
        {scriptFormats.map(({ format, label, readers }) => (
          <div
            key={format}
            className="grid grid-cols-[9rem_minmax(0,1fr)] gap-4 border-b border-line py-2 text-sm"
          >
            <dt>
              {label()} <span className="muted">.{format}</span>
            </dt>
            <dd>{list.format(readers.map((reader) => (typeof reader === 'string' ? reader : reader())))}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
