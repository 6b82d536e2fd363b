import { m } from '#messages';
import { renderMail } from '#platform/mail/render-mail.tsx';
import { confirmDays } from './newsletter-contract.ts';

interface ConfirmMailFacts {
  brand: string;
  host: string;
  email: string;
  requestedOn: string;
  link: string;
}

/** Contains nothing else, because its recipient may not have requested it. */
export function confirmMail({ brand, host, email, requestedOn, link }: ConfirmMailFacts) {
  return renderMail({
    title: m.mail_confirm_title({ brand }),
    opening: m.mail_confirm_opening({ host }),
    facts: [
      [m.common_email(), email],
      [m.mail_confirm_date(), requestedOn],
    ],
    paragraphs: [m.mail_confirm_how()],
    button: { label: m.mail_confirm_button(), link },
    finePrint: m.mail_confirm_fine({ days: confirmDays }),
  });
}
