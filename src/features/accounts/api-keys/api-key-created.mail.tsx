import { m } from '#messages';
import { renderMail } from '#platform/mail/render-mail.tsx';

export const apiKeyMail = ({ brand, name, link }: { brand: string; name: string; link: string }) =>
  renderMail({
    title: m.mail_api_key_title({ brand }),
    opening: m.mail_api_key_opening({ brand, name }),
    button: { label: m.mail_api_key_button(), link },
    finePrint: m.mail_api_key_fine(),
  });
