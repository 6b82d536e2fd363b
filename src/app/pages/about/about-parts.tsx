import { site } from '../../../../content/site.ts';
import { freeTerms } from '../parts/tool-terms.ts';
import { toolEntries } from '../tools/tools.ts';
import { promises, steps } from './promises.ts';

/** What the site is there for. */
export function Mission() {
  return (
    <section className="about-mission" aria-labelledby="mission">
      <h2 className="eyebrow" id="mission">
        Mission
      </h2>
      <div>
        <p>
          A language model answers whoever asks. What is missing is everything around it: that a reply
          survives a closed laptop, that a price is known before the press, that a summary shows where it has
          it from, and that you can leave with all you made.
        </p>
        <p>
          <span className="mark">{site.name} builds what is around the model</span>, for people who have
          something to get done: a text, a script, a picture, an answer out of a long document.
        </p>
      </div>
    </section>
  );
}

/** The way of a message, so that nobody takes this site for the maker of the models. */
export function Way() {
  return (
    <section className="page-section" id="independence" aria-labelledby="independence-title">
      <div className="page-columns about-independence">
        <h2 className="h2" id="independence-title">
          Independent of the models
        </h2>
        <p>
          {site.name} is an independent product: an interface of our own, sometimes called a wrapper, to
          models that other companies make and run. It is not affiliated with, endorsed by or sponsored by any
          of them, and their names belong to them. What is paid here is paid for the tools, the storage and
          the calls to the models.
        </p>
      </div>
      <ol className="about-way">
        {steps.map(([name, text]) => (
          <li key={text}>
            <b>{name}</b> {text}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What the site promises, with the place where each promise can be checked. */
export function Promises() {
  return (
    <section className="page-section" id="security" aria-labelledby="security-title">
      <h2 className="h2" id="security-title">
        What we hold ourselves to
      </h2>
      <dl className="fact-list about-promises">
        {promises.map(({ name, text, proof }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
            <dd>
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

/** What there is to use. */
export function Offer() {
  return (
    <section className="page-section page-columns" id="offer" aria-labelledby="offer-title">
      <h2 className="h2" id="offer-title">
        What we offer
      </h2>
      <div>
        <ul className="about-offer">
          <li>
            <a href="/chat">AI chat</a>
            <span>{freeTerms('chat')}</span>
          </li>
          {toolEntries.map(({ path, name, feature }) => (
            <li key={path}>
              <a href={path}>{name}</a>
              <span>{freeTerms(feature)}</span>
            </li>
          ))}
        </ul>
        <p className="fine mt-4">
          On the free plan. Pro takes no credits: see{' '}
          <a className="link" href="/pricing">
            Pricing
          </a>
          . What there is to read about models and their limits stands in the{' '}
          <a className="link" href="/blog">
            blog
          </a>
          .
        </p>
      </div>
    </section>
  );
}

/** Who answers. */
export function Reach() {
  return (
    <section className="page-section page-columns" id="contact" aria-labelledby="contact-title">
      <h2 className="h2" id="contact-title">
        Reach us
      </h2>
      <div className="about-reach">
        <address>
          {[...new Set([site.name, ...site.postalAddress])].map((line) => (
            <span key={line}>{line}</span>
          ))}
        </address>
        <p>
          <a className="link" href={`mailto:${site.supportEmail}`}>
            {site.supportEmail}
          </a>{' '}
          reaches the people who run this site. So does{' '}
          <a className="link" href="/contact">
            the contact form
          </a>
          .
        </p>
        <p className="fine">
          <a className="link" href="/terms">
            Terms of Service
          </a>
          ,{' '}
          <a className="link" href="/privacy">
            Privacy Policy
          </a>
          ,{' '}
          <a className="link" href="/cookies">
            Cookie Policy
          </a>
        </p>
      </div>
    </section>
  );
}
