import type { Claim } from '../../../../content/site.ts';

/** Figures of the site, a label beside those that are samples; nothing when there are none. */
export function Claims({ claims }: { claims: Claim[] }) {
  if (claims.length === 0) return null;
  return (
    <section className="claims" aria-label="The site in figures">
      <dl>
        {claims.map(({ value, label }) => (
          <div key={label}>
            <dt className="muted text-sm">{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {claims.some(({ sample }) => sample) ? (
        <p className="fine">Sample figures, shown only in the sandbox.</p>
      ) : null}
    </section>
  );
}
