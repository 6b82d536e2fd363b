import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { me } from '#features/accounts/service.server.ts';
import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import { toProblem } from '#platform/http/error-mapper.server.ts';
import { formHeaders } from '#platform/http/form-headers.server.ts';
import { pageContext } from '#platform/http/page-context.server.ts';
import type { PageHandle } from '#shared/page-handle.ts';
import { pageMeta } from '#shared/page-meta.ts';
import { unindexedMeta } from '#shared/page-title.ts';
import { setting } from '#shared/settings.ts';
import { ContactPage } from '../web/contact/contact-page.tsx';
import { ReceivedPage } from '../web/contact/received-page.tsx';
import {
  type ContactErrors,
  contactPath,
  honeypotField,
  isContactKind,
  MIN_SECONDS,
  readReference,
  type TypedMessage,
} from './contact-contract.ts';
import { checkMessage, discardSpam, receiveMessage } from './receive-message.server.ts';

/** Not cached: the form contains the time when it was opened, and the email address of a signed-in user. */
export const handle: PageHandle = { page: 'public', cache: false };

export const headers = formHeaders;

async function initialValues(
  requestedKind: string | null,
  context: LoaderFunctionArgs['context'],
): Promise<TypedMessage> {
  const { actor } = context.get(pageContext);
  const person = actor.kind === 'user' ? await me({ actor }) : null;
  return {
    kind: isContactKind(requestedKind) ? requestedKind : 'question',
    name: person?.name ?? '',
    email: person?.email ?? '',
    message: '',
  };
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const { actor } = context.get(pageContext);
  const facts = {
    publicUrl: config().publicUrl,
    received: readReference(query.get('received') ?? ''),
    typed: await initialValues(query.get('about'), context),
    owner: actor.kind === 'user' ? actor.userId : null,
    opened: Date.now(),
  };
  // The Back button may show a guest's page again, but not one that names a user who has signed out since.
  const cacheMode = facts.owner === null ? 'no-cache' : 'no-store';
  return data(facts, { headers: { 'cache-control': `private, ${cacheMode}` } });
}

interface Refused {
  typed: TypedMessage;
  /** Milliseconds since 1970; null: unknown. */
  opened: number | null;
  errors: ContactErrors;
}

const refuse = (refused: Refused, status = 422, headers: HeadersInit = {}) =>
  data<Refused>(refused, { status, headers });

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await request.formData();
  const field = (name: string) => String(form.get(name) ?? '');
  const typed = {
    kind: field('kind'),
    name: field('name'),
    email: field('email'),
    message: field('message'),
  };
  const { actor, clientAddress, requestId } = context.get(pageContext);
  const received = (reference: string) => redirect(`${contactPath}?received=${reference}`, 303);
  if (field(honeypotField) !== '') return received(discardSpam(requestId));
  const openedAt = /^\d{13}$/.test(field('opened')) ? Number(field('opened')) : null;
  const { message, errors } = checkMessage(typed);
  if (errors) return refuse({ typed, opened: openedAt, errors });
  const isTooQuick = openedAt === null || Date.now() - openedAt < MIN_SECONDS * 1000;
  if (isTooQuick) return refuse({ typed, opened: openedAt, errors: { form: m.contact_quick() } });
  try {
    return received(await receiveMessage({ actor, input: message, clientAddress }));
  } catch (error) {
    // Whatever fails, the typed text is kept.
    const { status, message: form, headers } = toProblem(error, requestId, contactPath);
    return refuse({ typed, opened: openedAt, errors: { form } }, status, headers);
  }
}

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => {
  if (!loaderData) return [];
  if (loaderData.received) return unindexedMeta(m.contact_received());
  return pageMeta({
    title: m.contact_title(),
    description: m.contact_description({ brand: setting('brand.name') }),
    path: contactPath,
    publicUrl: loaderData.publicUrl,
  });
};

export default function Contact() {
  const { received, typed, opened, owner } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  if (received && !refused) return <ReceivedPage reference={received} />;
  return (
    <ContactPage
      typed={refused?.typed ?? typed}
      opened={refused?.opened ?? opened}
      owner={owner}
      errors={refused?.errors ?? {}}
    />
  );
}
