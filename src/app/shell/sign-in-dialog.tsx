import { X } from 'lucide-react';
import type { ProviderName } from '#features/accounts/contract.ts';
import { providerLabels } from '#features/accounts/identities/provider-labels.ts';
import { CodeInput } from '#features/accounts/web/code-input.tsx';
import {
  checkoutText,
  choicesOnSale,
  noSaleText,
  type PlanDuration,
  proPromise,
} from '#features/credits/contract.ts';
import { m } from '#messages';
import { sentenceSeparator } from '#shared/join-sentences.ts';
import { Button } from '#ui/button.tsx';
import { ChoiceCards } from '#ui/choice-cards.tsx';
import { EmailField } from '#ui/email-field.tsx';
import { LegalLine } from '#ui/legal-line.tsx';
import { ProviderMark } from '#ui/provider-mark.tsx';
import { EnhancedSlot } from './enhanced-slot.tsx';

export interface SignInOffer {
  providers: readonly ProviderName[];
  /** URL where the sandbox's stand-in shows sent emails; null outside of a sandbox. */
  mailbox: string | null;
  onSale: readonly PlanDuration[];
}

function Line({ name, className, as = 'p' }: { name: string; className: string; as?: 'p' | 'span' }) {
  const [id, role] = name === 'message' ? ['dialog-message', 'status'] : [];
  return <EnhancedSlot as={as} id={id} data-line={name} className={className} role={role} />;
}

function Providers({ providers }: Pick<SignInOffer, 'providers'>) {
  if (providers.length === 0) return null;
  return (
    <>
      {providers.map((provider) => (
        <Button key={provider} size="lg" data-provider={provider}>
          <ProviderMark provider={provider} />
          {m.sign_in_continue_with({ provider: providerLabels[provider] })}
        </Button>
      ))}
      <p className="or-line">{m.common_or()}</p>
    </>
  );
}

function EmailForm() {
  return (
    <form className="grid gap-3" data-form="email">
      <EmailField id="dialog-email" required={false} aria-describedby="dialog-message" />
      <Button variant="primary" size="lg" type="submit" disabled>
        {m.sign_in_send_link()}
      </Button>
    </form>
  );
}

function CodeForm({ mailbox }: Pick<SignInOffer, 'mailbox'>) {
  return (
    <form className="grid gap-3 border-t border-line pt-4" data-form="code" data-sent="" hidden>
      <div className="field">
        <label className="label" htmlFor="dialog-code">
          {m.sign_in_code()}
        </label>
        <p className="hint" id="dialog-code-hint">
          <Line as="span" name="sent" className="font-semibold" />
          {mailbox ? (
            <>
              {sentenceSeparator()}
              <a className="link" href={mailbox} target="_blank" rel="noreferrer">
                {m.local_mailbox()}
              </a>
            </>
          ) : null}
        </p>
        <CodeInput id="dialog-code" aria-describedby="dialog-code-hint dialog-message" />
      </div>
      <Button size="lg" type="submit" disabled>
        {m.sign_in_with_code()}
      </Button>
    </form>
  );
}

function Upgrade({ onSale }: Pick<SignInOffer, 'onSale'>) {
  const { choices, chosen } = choicesOnSale(onSale);
  const title = (
    <h2 className="h3" id="sign-in-upgrade-title">
      {m.upgrade_to_pro()}
    </h2>
  );
  if (choices.length === 0)
    return (
      <section
        className="sign-in-upgrade not-in-[.dialog-wide]:hidden bg-sunken border-s border-line max-md:border-s-0 max-md:border-t max-md:border-line"
        aria-labelledby="sign-in-upgrade-title"
      >
        {title}
        <p className="muted text-sm">{noSaleText()}</p>
      </section>
    );
  return (
    <form
      className="sign-in-upgrade not-in-[.dialog-wide]:hidden bg-sunken border-s border-line max-md:border-s-0 max-md:border-t max-md:border-line"
      data-form="subscribe"
      data-then={m.sign_in_choose({ checkout: checkoutText() })}
      aria-labelledby="sign-in-upgrade-title"
    >
      {title}
      <p className="muted text-sm">{proPromise()}</p>
      <ChoiceCards name="plan" legend={m.upgrade_billing_period()} choices={choices} chosen={chosen} />
      <Button variant="mark" size="lg" type="submit">
        {m.upgrade_sign_in()}
      </Button>
      <p className="fine">{checkoutText()}</p>
    </form>
  );
}

/** Needs scripts; without them, `data-sign-in` links lead to /sign-in, which has the same forms. */
export function SignInContents({ providers, mailbox, onSale }: SignInOffer) {
  return (
    <>
      <form method="dialog" className="sticky z-1 top-3 flex justify-end h-0 pe-3">
        <Button type="submit" variant="ghost" size="icon" aria-label={m.common_close()}>
          <X size={16} strokeWidth={1.75} aria-hidden="true" />
        </Button>
      </form>
      <div className="grid grid-cols-1 in-[.dialog-wide]:md:grid-cols-2">
        <div className="sign-in-ways">
          <h2 className="h3" id="sign-in-title" tabIndex={-1}>
            {m.common_sign_in()}
          </h2>
          <Line name="reason" className="text-sm" />
          <Providers providers={providers} />
          <EmailForm />
          <Line name="message" className="notice" />
          <p className="row" data-sent="" hidden>
            <Button variant="ghost" data-resend="">
              {m.sign_in_resend()}
            </Button>
            <Button variant="ghost" data-change-address="">
              {m.sign_in_change_email()}
            </Button>
          </p>
          <CodeForm mailbox={mailbox} />
          <LegalLine />
        </div>
        <Upgrade onSale={onSale} />
      </div>
    </>
  );
}
