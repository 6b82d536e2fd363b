import { m } from '#messages';
import { setting } from '#shared/settings.ts';
import { linkTo } from '#ui/link-to.tsx';
import { TitledSection } from '#ui/titled-section.tsx';
import { legal } from '../shell/site-pages.ts';
import { promises, steps } from './about-promises.ts';
import { freeTerms } from './parts/tool-terms.ts';
import { toolEntries } from './tools/tool-entries.ts';

export function Mission() {
  return (
    <section
      className="grid grid-cols-[16rem_minmax(0,1fr)] gap-y-4 gap-x-6 pt-5 border-t border-fg max-md:grid-cols-1"
      aria-labelledby="mission"
    >
      <h2 className="eyebrow" id="mission">
        {m.about_mission()}
      </h2>
      <div className="grid gap-5 max-w-184 text-xl/8 tracking-[-0.01em] max-md:text-lg">
        <p>{m.about_mission_text()}</p>
        <p>
          {m.about_mission_site({
            site: setting('brand.name'),
            mark: (text) => <span className="mark">{text}</span>,
          })}
        </p>
      </div>
    </section>
  );
}

export function HowItWorks() {
  return (
    <section className="pt-24 max-md:pt-16" id="independence" aria-labelledby="independence-title">
      <div className="pt-5 border-t border-fg max-md:grid max-md:gap-4 md:grid md:grid-cols-[16rem_minmax(0,1fr)] md:gap-6 md:items-start">
        <h2 className="h2" id="independence-title">
          {m.about_independent()}
        </h2>
        <p className="max-w-(--measure)">{m.about_independent_text({ site: setting('brand.name') })}</p>
      </div>
      <ol className="grid grid-cols-5 mt-10 text-sm/5.5 text-fg-muted max-lg:grid-cols-1">
        {steps().map(([name, text]) => (
          <li
            className="border-fg lg:pt-4 lg:pe-5 lg:border-t-2 lg:not-first:ps-5 lg:not-first:border-s lg:not-first:border-s-line lg:nth-4:[box-shadow:inset_0_8px_0_var(--mark)] max-lg:ps-5 max-lg:pb-5 max-lg:border-s-2 max-lg:nth-4:[box-shadow:inset_8px_0_0_var(--mark)]"
            key={text}
          >
            <b className="block my-1 font-semibold text-fg max-lg:mt-0">{name}</b> {text}
          </li>
        ))}
      </ol>
    </section>
  );
}

export function Promises() {
  return (
    <section className="pt-24 max-md:pt-16" id="security" aria-labelledby="security-title">
      <h2 className="h2 mb-6" id="security-title">
        {m.about_promises()}
      </h2>
      <dl className="border-t border-fg">
        {promises().map(({ name, text, proof }) => (
          <div
            className="grid-cols-[16rem_minmax(0,1fr)_13rem] max-lg:grid-cols-1 grid gap-y-1 gap-x-6 py-3.5 border-b border-line max-md:grid-cols-1"
            key={name}
          >
            <dt className="font-semibold">{name}</dt>
            <dd className="[dd+&]:text-sm max-w-(--measure) text-fg-muted">{text}</dd>
            <dd className="[dd+&]:text-sm max-w-(--measure) text-fg-muted">
              <a className="link" href={proof.href}>
                {proof.text}
              </a>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export function ToolOverview() {
  return (
    <TitledSection id="offer" title={m.about_offer()}>
      <div>
        <ul className="about-offer border-t border-fg">
          <li className="flex flex-wrap items-baseline justify-between gap-y-0 gap-x-6 py-3 border-b border-line">
            <a
              className="font-semibold hover:underline hover:underline-offset-[0.18em] hover:decoration-2 pointer-coarse:py-2.5"
              href="/chat"
            >
              {m.about_chat()}
            </a>
            <span className="text-sm text-fg-muted">{freeTerms('chat')}</span>
          </li>
          {toolEntries().map(({ path, name, feature }) => (
            <li
              className="flex flex-wrap items-baseline justify-between gap-y-0 gap-x-6 py-3 border-b border-line"
              key={path}
            >
              <a
                className="font-semibold hover:underline hover:underline-offset-[0.18em] hover:decoration-2 pointer-coarse:py-2.5"
                href={path}
              >
                {name}
              </a>
              <span className="text-sm text-fg-muted">{freeTerms(feature)}</span>
            </li>
          ))}
        </ul>
        <p className="fine mt-4">
          {m.about_offer_note({ pricing: linkTo('/pricing'), blog: linkTo('/blog') })}
        </p>
      </div>
    </TitledSection>
  );
}

export function ContactOptions() {
  return (
    <TitledSection id="contact" title={m.page_contact()}>
      <div className="grid gap-4 max-w-(--measure)">
        <address className="not-italic">
          {[...new Set([setting('brand.name'), ...setting('contact.address')])].map((line) => (
            <span className="block" key={line}>
              {line}
            </span>
          ))}
        </address>
        <p>
          {m.about_contact({
            email: setting('contact.email'),
            mail: linkTo(`mailto:${setting('contact.email')}`),
            form: linkTo('/contact'),
          })}
        </p>
        <p className="fine row">
          {legal.map(({ path, name }) => (
            <a key={path} className="link" href={path}>
              {name()}
            </a>
          ))}
        </p>
      </div>
    </TitledSection>
  );
}
