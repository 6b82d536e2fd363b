import { formatCredits, formatMoney } from '#features/credits/contract.ts';
import { m } from '#messages';
import { renderMail } from '#platform/mail/render-mail.tsx';
import { dashboardButton, type MailFacts, type MailLinks } from './mail-content.ts';

export function creditsReceiptMail(
  { credits, amountCents, currency }: MailFacts<'credits_receipt'>,
  { brand, dashboard, supportEmail, provider }: MailLinks,
) {
  const amount = formatCredits(credits);
  return renderMail({
    title: m.mail_credits_title({ brand }),
    opening: m.mail_credits_opening({ credits: amount }),
    facts: [
      [m.credits_title(), amount],
      [m.payments_paid(), formatMoney(amountCents, currency)],
    ],
    paragraphs: [m.packs_rule(), m.mail_credits_invoice({ provider })],
    button: dashboardButton(dashboard),
    finePrint: m.mail_payment_fine({ email: supportEmail }),
  });
}

export function creditsRefundMail(
  { credits, taken, amountCents, currency }: MailFacts<'credits_refund'>,
  { brand, dashboard, supportEmail, provider }: MailLinks,
) {
  const amount = formatMoney(amountCents, currency);
  return renderMail({
    title: m.mail_refund_title({ brand }),
    opening: m.mail_refund_opening({ provider, amount }),
    facts: [
      [m.credits_title(), formatCredits(credits)],
      [m.plan_state_refunded(), amount],
    ],
    paragraphs: [m.mail_refund_way(), m.mail_credits_taken({ count: taken })],
    button: dashboardButton(dashboard),
    finePrint: m.mail_refund_fine({ email: supportEmail }),
  });
}

export function creditsDisputedMail(
  { credits, taken, amountCents, currency }: MailFacts<'credits_disputed'>,
  { brand, dashboard, supportEmail, provider }: MailLinks,
) {
  const amount = formatMoney(amountCents, currency);
  return renderMail({
    title: m.mail_credits_disputed_title({ brand }),
    opening: m.mail_disputed_opening({ amount, provider }),
    facts: [
      [m.credits_title(), formatCredits(credits)],
      [m.plan_state_disputed(), amount],
    ],
    paragraphs: [m.mail_credits_taken({ count: taken }), m.mail_disputed_settle({ provider })],
    button: dashboardButton(dashboard),
    finePrint: m.mail_disputed_fine({ email: supportEmail }),
  });
}
