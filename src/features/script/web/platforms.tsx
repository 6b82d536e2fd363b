import { scriptFormats } from '../contract.ts';

/** The programs that read what is really exported, by format. */
export function Platforms() {
  return (
    <section className="script-platforms" aria-labelledby="platforms-title">
      <h2 className="h3" id="platforms-title">
        Compatible platforms
      </h2>
      <dl>
        {scriptFormats.map(({ value, label, readers }) => (
          <div key={value}>
            <dt>
              {label} <span className="muted">.{value}</span>
            </dt>
            <dd>{readers.join(', ')}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
