import { X } from 'lucide-react';
import type { ProviderName } from '../../features/accounts/contract.ts';
import { providerLabels } from '../../features/accounts/identities/contract.ts';
import {
  choicesAmong,
  noSale,
  type PlanDuration,
  proPromise,
  thenCheckout,
} from '../../features/credits/contract.ts';
import { ChoiceCards } from '../../ui/choice-cards.tsx';
import { LegalLine } from '../../ui/legal-line.tsx';
import { ProviderMark } from '../../ui/provider-mark.tsx';
import { Slot } from './slot.tsx';

/** What the dialog offers; only ways that the operator has set up. */
export interface SignInOffer {
  providers: readonly ProviderName[];
  /** Where the stand-in shows the mails, in the sandbox. */
  mailbox: string | null;
  /** The durations of Pro that can be bought. */
  onSale: readonly PlanDuration[];
}

/** A line that the enhancement module fills and shows. */
function Line({ name, className, as = 'p' }: { name: string; className: string; as?: 'p' | 'span' }) {
  const [id, role] = name === 'message' ? ['dialog-message', 'status'] : [];
  return <Slot as={as} id={id} data-line={name} className={className} role={role} />;
}

function Providers({ providers }: Pick<SignInOffer, 'providers'>) {
  if (providers.length === 0) return null;
  return (
    <>
      {providers.map((provider) => (
        <button key={provider} type="button" className="btn btn-secondary btn-lg" data-provider={provider}>
          <ProviderMark provider={provider} />
          {`Continue with ${providerLabels[provider]}`}
        </button>
      ))}
      <p className="or-line">or</p>
    </>
  );
}

function EmailForm() {
  return (
    <form className="grid gap-3" data-form="email">
      <div className="field">
        <label className="label" htmlFor="dialog-email">
          Email
        </label>
        <input
          className="input"
          id="dialog-email"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          spellCheck={false}
          maxLength={254}
          aria-describedby="dialog-message"
        />
      </div>
      <button className="btn btn-primary btn-lg" type="submit" disabled>
        Send Magic Link
      </button>
    </form>
  );
}

function CodeForm({ mailbox }: Pick<SignInOffer, 'mailbox'>) {
  return (
    <form className="grid gap-3 border-t border-line pt-4" data-form="code" data-sent="" hidden>
      <div className="field">
        <label className="label" htmlFor="dialog-code">
          6-digit code
        </label>
        <p className="hint" id="dialog-code-hint">
          <Line as="span" name="sent" className="font-semibold" /> From the same mail, if you read it on
          another device.
          {mailbox ? (
            <>
              {' '}
              <a className="link" href={mailbox} target="_blank" rel="noreferrer">
                Open the local mailbox
              </a>
            </>
          ) : null}
        </p>
        <input
          className="input input-code"
          id="dialog-code"
          type="text"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          aria-describedby="dialog-code-hint dialog-message"
          pattern="\s*\d{3}\s?\d{3}\s*"
          title="The 6 digits of the mail"
          maxLength={12}
        />
      </div>
      <button className="btn btn-secondary btn-lg" type="submit" disabled>
        Sign in with the code
      </button>
    </form>
  );
}

/** Where nothing is for sale it says so, and offers nothing to press. */
function Upgrade({ onSale }: Pick<SignInOffer, 'onSale'>) {
  const { choices, chosen } = choicesAmong(onSale);
  const title = (
    <h2 className="h3" id="sign-in-upgrade-title">
      Upgrade to Pro
    </h2>
  );
  if (choices.length === 0)
    return (
      <section className="sign-in-upgrade" aria-labelledby="sign-in-upgrade-title">
        {title}
        <p className="muted text-sm">{noSale}</p>
      </section>
    );
  return (
    <form
      className="sign-in-upgrade"
      data-form="subscribe"
      data-then={`Choose how to sign in. ${thenCheckout}`}
      aria-labelledby="sign-in-upgrade-title"
    >
      {title}
      <p className="muted text-sm">{proPromise}</p>
      <ChoiceCards name="plan" legend="Duration of Pro" choices={choices} chosen={chosen} />
      <button className="btn btn-mark btn-lg" type="submit">
        Sign In &amp; Subscribe
      </button>
      <p className="fine">{thenCheckout}</p>
    </form>
  );
}

/**
 * In the markup of every page; the enhancement module opens it from any `data-sign-in` element and from the event
 * `sign-in:open`. Without scripts those links lead to /sign-in, which does the same.
 */
export function SignInContents({ providers, mailbox, onSale }: SignInOffer) {
  return (
    <>
      <form method="dialog" className="dialog-close">
        <button type="submit" className="btn btn-ghost btn-icon" aria-label="Close">
          <X size={16} strokeWidth={1.75} aria-hidden="true" />
        </button>
      </form>
      <div className="sign-in-halves">
        <div className="sign-in-ways">
          <h2 className="h3" id="sign-in-title" tabIndex={-1}>
            Sign in
          </h2>
          <Line name="reason" className="text-sm" />
          <Providers providers={providers} />
          <EmailForm />
          <Line name="message" className="notice" />
          <p className="row" data-sent="" hidden>
            <button type="button" className="btn btn-ghost" data-resend="">
              Resend
            </button>
            <button type="button" className="btn btn-ghost" data-change-address="">
              Change address
            </button>
          </p>
          <CodeForm mailbox={mailbox} />
          <LegalLine />
        </div>
        <Upgrade onSale={onSale} />
      </div>
    </>
  );
}
