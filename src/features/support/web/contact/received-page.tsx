import { m } from '#messages';
import { setting } from '#shared/settings.ts';
import { Button } from '#ui/button.tsx';
import { linkTo } from '#ui/link-to.tsx';
import { contactPath } from '../../contact/contact-contract.ts';

export function ReceivedPage({ reference }: { reference: string }) {
  return (
    <main
      id="main"
      className="wrap contact grid grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)] gap-y-10 gap-x-24 items-start pt-16 pb-0 max-ml:grid-cols-1 max-ml:gap-8 max-ml:pt-10 max-ml:pb-0"
    >
      <div className="grid content-start gap-5">
        {/* biome-ignore lint/a11y/noAutofocus: a new page after the button, so the result is read first */}
        <h1 className="h1 focus-visible:[outline:none]" tabIndex={-1} autoFocus>
          {m.contact_received_heading({ mark: (text) => <span className="mark">{text}</span> })}
        </h1>
        <p className="lead">{m.contact_thanks()}</p>
        <dl className="contact-reference">
          <dt className="eyebrow">{m.contact_reference()}</dt>
          <dd className="font-mono text-2xl tracking-[0.04em] select-all">{reference}</dd>
        </dl>
        <div className="row">
          <Button variant="primary" size="lg" href="/">
            {m.common_go_home()}
          </Button>
          <Button size="lg" href={contactPath}>
            {m.contact_another()}
          </Button>
        </div>
      </div>
      <section className="grid gap-4" aria-labelledby="next-title">
        <h2 className="h3" id="next-title">
          {m.contact_next()}
        </h2>
        {/* List markers use tabular figures by default, which are those of code in this font. */}
        <ol className="grid gap-3 ps-5 list-decimal marker:text-fg-muted marker:[font-variant-numeric:normal]">
          <li>{m.contact_next_receipt()}</li>
          <li>{m.contact_next_reply()}</li>
          <li>{m.contact_next_more()}</li>
        </ol>
        <p className="muted text-sm">
          {m.contact_no_receipt({
            email: setting('contact.email'),
            link: linkTo(`mailto:${setting('contact.email')}?subject=${reference}`),
          })}
        </p>
      </section>
    </main>
  );
}
