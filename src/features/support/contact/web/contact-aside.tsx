import { site } from '../../../../../content/site.ts';
import { moneyBackDays } from '../../../billing/contract.ts';

const quicker = [
  {
    href: '/dashboard',
    name: 'Dashboard',
    does: `cancel or resume a plan, invoices, money back within ${moneyBackDays} days`,
  },
  { href: '/pricing#questions', name: 'Questions about plans', does: 'credits, renewal, limits' },
  { href: '/settings', name: 'Settings', does: 'download your data, end sessions, delete the account' },
  { href: '/privacy', name: 'Privacy Policy', does: 'what is stored, for how long, who gets it' },
] as const;

/** What can be done without asking, and the other ways to reach the operator. */
export function ContactAside() {
  return (
    <div className="contact-aside">
      <section aria-labelledby="quicker-title">
        <h2 className="h3" id="quicker-title">
          Often quicker
        </h2>
        <ul className="contact-quicker">
          {quicker.map(({ href, name, does }) => (
            <li key={href}>
              <a className="link" href={href}>
                {name}
              </a>
              <span className="muted">{does}</span>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="other-title">
        <h2 className="h3" id="other-title">
          Other ways
        </h2>
        <dl className="contact-ways">
          <dt>Mail</dt>
          <dd>
            <a className="link" href={`mailto:${site.supportEmail}`}>
              {site.supportEmail}
            </a>
          </dd>
          <dt>Post</dt>
          <dd>
            <address>
              {site.postalAddress.map((line) => (
                <span key={line}>{line}</span>
              ))}
            </address>
          </dd>
        </dl>
      </section>
    </div>
  );
}
