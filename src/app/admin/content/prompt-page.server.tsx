import { z } from 'zod';
import { isAction, ModerationError, moderate, showQueued } from '#features/prompts/service.server.ts';
import { ActionForm } from '../action-form.tsx';
import { performOnce, readAction, redirectAfterAction } from '../actions.server.ts';
import { adminPage } from '../admin-page.server.tsx';
import { AdminRefusal, type AdminRequest } from '../admin-request.server.ts';
import { PersonLink, Time } from '../cells.tsx';

type Queued = Awaited<ReturnType<typeof showQueued>>;

const notFoundError = () => new AdminRefusal('Prompt not found.', 404);

async function requirePrompt(id: string): Promise<Queued> {
  if (!z.uuid().safeParse(id).success) throw notFoundError();
  const queued = await showQueued(id).catch((error: unknown) => {
    throw error instanceof ModerationError ? notFoundError() : error;
  });
  if (queued.prompt.state === 'private') throw notFoundError();
  return queued;
}

function Decisions({ prompt }: Pick<Queued, 'prompt'>) {
  const path = `/admin/prompts/${prompt.id}`;
  const revision = <input type="hidden" name="revision" value={prompt.revision} />;
  return (
    <section className="row items-start" aria-label="Actions">
      {prompt.state === 'pending' ? (
        <>
          <ActionForm name="Approve" action={`${path}/approve`} verb="Publish" reason={false}>
            {revision}
          </ActionForm>
          <ActionForm
            name="Reject"
            action={`${path}/reject`}
            verb="Reject"
            danger
            description="Its writer is told the reason."
          >
            {revision}
          </ActionForm>
        </>
      ) : null}
      {prompt.state === 'approved' ? (
        <>
          <ActionForm
            name="Unpublish"
            action={`${path}/unpublish`}
            verb="Unpublish"
            danger
            description="Its writer is told the reason."
          >
            {revision}
          </ActionForm>
          {prompt.reports > 0 ? (
            <ActionForm name="Keep" action={`${path}/keep`} verb="Close the reports" reason={false}>
              {revision}
            </ActionForm>
          ) : null}
        </>
      ) : null}
    </section>
  );
}

export async function promptPage(request: AdminRequest): Promise<Response> {
  const { prompt, reports } = await requirePrompt(request.params.id ?? '');
  return adminPage(request, {
    title: prompt.title,
    here: '/admin/prompts',
    children: (
      <>
        <h1 className="h2 wrap-anywhere">{prompt.title}</h1>
        <p className="text-sm text-fg-muted">
          {prompt.state}, {prompt.category}, version {prompt.revision}, by{' '}
          <PersonLink id={prompt.user_id} email="this person" />
        </p>
        {prompt.reason ? <p className="text-sm">Reason: {prompt.reason}</p> : null}
        <Decisions prompt={prompt} />
        <p className="wrap-anywhere">{prompt.description}</p>
        <p className="card whitespace-pre-wrap wrap-anywhere">{prompt.content}</p>
        {reports.map(({ reason, created_at }) => (
          <p key={created_at.toISOString()} className="text-sm wrap-anywhere">
            Reported <Time at={created_at} />: {reason || 'no comment'}
          </p>
        ))}
      </>
    ),
  });
}

export async function decide(request: AdminRequest): Promise<Response> {
  const { id = '', decision = '' } = request.params;
  if (!isAction(decision)) throw notFoundError();
  await requirePrompt(id);
  const { action, fields } = await readAction(request, { revision: z.coerce.number().int().min(1).max(1e9) });
  const { revision } = fields;
  const { reason, operator } = action;
  const details = { prompt: id, revision, decision };
  // The reason is stored with the prompt and not in the permanent log, so that it is deleted with the prompt.
  await performOnce({ ...action, reason: '' }, { action: 'prompt', details }, (tx) =>
    moderate(tx, { id, revision, action: decision, reason, operator }),
  );
  return redirectAfterAction(request, `/admin/prompts/${id}`, action);
}
