/**
 * The mail stand-in: an SMTP sink and a mailbox to look into.
 * Limits of fidelity: accepts mail for every address, delivers to nobody, checks neither SPF nor DKIM, offers neither
 * STARTTLS nor AUTH, sends no bounces after acceptance. Attachments are listed but not stored.
 */
import { HttpError, sendJson } from '../http.ts';
import { sendPage } from '../page.ts';
import type { StandIn, StandInParts } from '../standin.ts';
import { Mailbox } from './mailbox.ts';
import { listPage, mailPage } from './pages.ts';
import { mailSwitches, startSmtp } from './smtp.ts';

function sinceOf(value: string | null): number | null {
  if (value === null || value === '') return null;
  const time = /^\d+$/.test(value) ? Number(value) : Date.parse(value);
  if (Number.isNaN(time)) throw new HttpError(400, 'bad_time', 'since must be an ISO time or milliseconds.');
  return time;
}

export async function mailStandIn(parts: StandInParts): Promise<StandIn> {
  const { router, control, settings } = parts;
  const store = new Mailbox(settings.dir);
  const switches = control.section('mail', mailSwitches);
  router.on('GET', '/mail', ({ res }) => sendPage(res, listPage(store.list())));
  router.on('GET', '/mail/newest', ({ res }) => sendJson(res, 200, { newest: store.list()[0]?.id ?? '' }));
  router.on('GET', '/mail/messages', ({ res, url: { searchParams: query } }) =>
    sendJson(res, 200, store.list({ to: query.get('to'), since: sinceOf(query.get('since')) })),
  );
  router.on('DELETE', '/mail/messages', ({ res, url }) =>
    sendJson(res, 200, { deleted: store.clear(url.searchParams.get('to')) }),
  );
  router.on('GET', '/mail/:id', ({ res, params }) => {
    const mail = store.get(params.id ?? '');
    if (!mail) throw new HttpError(404, 'not_found', 'This mail is not here, or not any more.');
    sendPage(res, mailPage(mail));
  });
  const sink = await startSmtp(settings.smtpPort, store, switches);
  return {
    name: 'Mail',
    about: 'Takes every mail over SMTP and shows it.',
    links: [{ href: '/mail', text: 'Mailbox' }],
    ready: { smtp: sink.port },
    close: () => sink.close(),
  };
}
