import { m } from '#messages';
import { renderMail } from '#platform/mail/render-mail.tsx';

export const linkedMail = ({ brand, provider, link }: { brand: string; provider: string; link: string }) =>
  renderMail({
    title: m.mail_linked_title({ brand, provider }),
    opening: m.mail_linked_opening({ brand, provider }),
    button: { label: m.mail_linked_button(), link },
    finePrint: m.mail_linked_fine({ provider }),
  });
