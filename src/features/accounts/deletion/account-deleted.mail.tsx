import { m } from '#messages';
import { renderMail } from '#platform/mail/render-mail.tsx';

export const deletionMail = ({ brand, until, link }: { brand: string; until: string; link: string }) =>
  renderMail({
    title: m.mail_deleted_title({ brand }),
    opening: m.mail_deleted_opening({ until }),
    paragraphs: [m.mail_deleted_plan(), m.mail_deleted_restore()],
    button: { label: m.restore_sign_in_title(), link },
    finePrint: m.mail_deleted_fine(),
  });
