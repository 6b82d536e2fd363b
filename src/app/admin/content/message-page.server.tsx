import { contactKinds } from '#features/support/contract.ts';
import { ContactCommandError, closeMessage, showMessage } from '#features/support/service.server.ts';
import { Button } from '#ui/button.tsx';
import { ActionForm } from '../action-form.tsx';
import { performOnce, readAction, redirectAfterAction } from '../actions.server.ts';
import { adminPage } from '../admin-page.server.tsx';
import { AdminRefusal, type AdminRequest } from '../admin-request.server.ts';
import { PersonLink, Time } from '../cells.tsx';

type Message = Awaited<ReturnType<typeof showMessage>>;

async function requireMessage(reference: string): Promise<Message> {
  return showMessage(reference).catch((error: unknown) => {
    throw error instanceof ContactCommandError ? new AdminRefusal('Message not found.', 404) : error;
  });
}

const replyLink = ({ email, reference }: Message) =>
  `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(`Your message ${reference}`)}`;

export async function messagePage(request: AdminRequest): Promise<Response> {
  const message = await requireMessage(request.params.reference ?? '');
  const { reference, kind, name, email, user_id, account_email, created_at, done_at, done_by, unsent } =
    message;
  return adminPage(request, {
    title: reference,
    here: '/admin/messages',
    children: (
      <>
        <h1 className="h2">{reference}</h1>
        <p className="text-sm wrap-anywhere">
          {contactKinds[kind]()}, from {name ? `${name}, ` : ''}
          {email}, <Time at={created_at} /> UTC.{' '}
          {user_id ? (
            <>
              Account: <PersonLink id={user_id} email={account_email} />
            </>
          ) : (
            'Not signed in, so the address is unverified.'
          )}
        </p>
        {unsent.length > 0 ? <p className="text-sm text-danger">Not emailed: {unsent.join(', ')}</p> : null}
        <p className="card whitespace-pre-wrap wrap-anywhere">{message.message}</p>
        {done_at ? (
          <p className="text-sm">
            Answered <Time at={done_at} /> by {done_by}
          </p>
        ) : (
          <section className="row items-start" aria-label="Actions">
            <Button variant="primary" href={replyLink(message)}>
              Reply by email
            </Button>
            <ActionForm
              name="Mark as answered"
              action={`/admin/messages/${reference}/done`}
              verb="Mark as answered"
              reason={false}
              description="Answered messages are erased after 24 months."
            />
          </section>
        )}
      </>
    ),
  });
}

export async function markAnswered(request: AdminRequest): Promise<Response> {
  const { reference } = await requireMessage(request.params.reference ?? '');
  const { action } = await readAction(request, {});
  await performOnce(action, { action: 'message', details: { reference } }, (tx) =>
    closeMessage(tx, reference, action.operator),
  );
  return redirectAfterAction(request, `/admin/messages/${reference}`, action);
}
