import { moneyBackDays } from '#features/credits/contract.ts';
import { m } from '#messages';
import { setting } from '#shared/settings.ts';
import { ContactForm, type ContactFormProps } from './contact-form.tsx';

const selfServiceLinks = [
  {
    href: '/dashboard',
    name: m.page_dashboard,
    description: () => m.contact_do_dashboard({ days: moneyBackDays }),
  },
  { href: '/pricing#questions', name: m.contact_plan_questions, description: m.contact_do_questions },
  { href: '/settings', name: m.page_settings, description: m.contact_do_settings },
  { href: '/privacy', name: m.page_privacy, description: m.contact_do_privacy },
] as const;

/** The whole row is the link, so that it is easy to tap. */
const coversRow = 'after:absolute after:inset-0';

function ContactAside() {
  return (
    <div className="grid gap-8">
      <section aria-labelledby="quicker-title">
        <h2 className="h3 pb-3" id="quicker-title">
          {m.contact_quicker()}
        </h2>
        <ul>
          {selfServiceLinks.map(({ href, name, description }) => (
            <li
              key={href}
              className="relative grid justify-items-start gap-0.5 border-t border-line py-3 text-sm"
            >
              <a className={`link font-semibold ${coversRow}`} href={href}>
                {name()}
              </a>
              <span className="muted">{description()}</span>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="other-title">
        <h2 className="h3 pb-3" id="other-title">
          {m.contact_other_ways()}
        </h2>
        <dl className="grid grid-cols-[4rem_minmax(0,1fr)] text-sm *:border-t *:border-line *:py-3 *:wrap-anywhere">
          <dt className="text-fg-muted">{m.common_email()}</dt>
          <dd className="relative">
            <a className={`link ${coversRow}`} href={`mailto:${setting('contact.email')}`}>
              {setting('contact.email')}
            </a>
          </dd>
          <dt className="text-fg-muted">{m.contact_post()}</dt>
          <dd>
            <address className="grid not-italic">
              {setting('contact.address').map((line) => (
                <span key={line}>{line}</span>
              ))}
            </address>
          </dd>
        </dl>
      </section>
    </div>
  );
}

export function ContactPage(props: ContactFormProps) {
  return (
    <main
      id="main"
      className="wrap contact grid grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)] gap-y-10 gap-x-24 items-start pt-16 pb-0 max-ml:grid-cols-1 max-ml:gap-8 max-ml:pt-10 max-ml:pb-0"
    >
      <div className="grid col-span-full gap-3 max-w-160">
        <h1 className="h1 focus-visible:[outline:none]">
          {m.contact_heading({ mark: (text) => <span className="mark">{text}</span> })}
        </h1>
        <p className="lead">{m.contact_lead()}</p>
      </div>
      <ContactForm {...props} />
      <ContactAside />
    </main>
  );
}
