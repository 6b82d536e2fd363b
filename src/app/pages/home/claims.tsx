import { m } from '#messages';
import type { ShownClaim } from '../parts/shown-claims.server.ts';

export function Claims({ claims, columns = 4 }: { claims: ShownClaim[]; columns?: 3 | 4 }) {
  if (claims.length === 0) return null;
  const sample = claims.some((claim) => claim.sample);
  return (
    <section
      className={`mt-16 max-md:mt-12 ${sample ? 'py-4 px-6 border border-dashed border-line-strong rounded-lg text-fg-muted' : 'border-y border-line py-2'}`}
      aria-label={sample ? m.claims_sample_label() : m.claims_label()}
    >
      {sample ? <p className="fine">{m.claims_sample()}</p> : null}
      <dl
        className={`grid gap-x-6 ${columns === 4 ? 'grid-cols-4 max-md:grid-cols-2' : 'grid-cols-3 max-md:grid-cols-1'}`}
      >
        {claims.map(({ value, label }) => (
          <div className="flex flex-col-reverse justify-end py-2" key={label}>
            <dt className="text-sm">{label}</dt>
            <dd className={sample ? 'text-lg' : 'text-2xl font-[650] tracking-tight'}>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
