import type { ReactNode } from 'react';
import { featureTable } from '#features/credits/contract.ts';
import { m } from '#messages';
import { LandingFoot, type LandingTexts } from './landing-foot.tsx';
import type { LandingPartProps } from './landing-parts.tsx';

interface LandingHeadProps {
  name: string;
  title: string;
  lead: string;
}

function LandingHead({ name, title, lead }: LandingHeadProps) {
  return (
    <header className="pt-5 pb-5 max-md:pt-3">
      <nav aria-label={m.common_breadcrumb()}>
        <ol className="flex flex-wrap items-center gap-x-1.5 text-xs text-fg-muted">
          {[
            { href: '/', text: m.common_home() },
            { href: '/tools', text: m.common_tools() },
          ].map(({ href, text }) => (
            <li key={href} className="after:ms-1.5 after:content-['/'] after:[content:'/'_/_'']">
              <a
                className="inline-flex min-h-6 items-center underline underline-offset-[0.2em] pointer-coarse:min-h-11"
                href={href}
              >
                {text}
              </a>
            </li>
          ))}
          <li aria-current="page">{name}</li>
        </ol>
      </nav>
      <h1 className="mt-2 text-3xl font-[650] tracking-tighter text-balance">{title}</h1>
      <p className="lead mt-2 max-w-[56rem] text-pretty">{lead}</p>
    </header>
  );
}

interface ToolLandingProps extends LandingPartProps, LandingTexts {
  lead: string;
  sample?: ReactNode;
}

/** The parts of a tool's page that only guests see. */
export function ToolLanding({ part, lead, sample, ...texts }: ToolLandingProps) {
  if (part === 'sample') return sample;
  if (part === 'foot') return <LandingFoot {...texts} />;
  return <LandingHead name={featureTable[texts.feature].name} title={texts.title} lead={lead} />;
}
