import { m } from '#messages';
import { renderMail } from '#platform/mail/render-mail.tsx';
import { utcTime } from '#shared/format-date.ts';

/** The address may be somebody else's, so the receipt repeats nothing that was written, not even the name. */
export function receiptMail(
  { reference, created_at }: { reference: string; created_at: Date },
  { brand, home, supportEmail }: { brand: string; home: string; supportEmail: string },
) {
  return renderMail({
    title: m.mail_contact_receipt_title({ brand, reference }),
    opening: m.mail_contact_receipt_opening(),
    facts: [
      [m.mail_contact_receipt_reference(), reference],
      [m.mail_contact_receipt_received(), utcTime(created_at)],
    ],
    paragraphs: [m.mail_contact_receipt_more({ email: supportEmail })],
    button: { label: m.mail_contact_receipt_button({ brand }), link: home },
    finePrint: m.mail_contact_receipt_fine(),
  });
}
