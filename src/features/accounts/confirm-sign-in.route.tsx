import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { m } from '#messages';
import { tokenHeaders } from '#platform/http/form-headers.server.ts';
import { pageContext } from '#platform/http/page-context.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { tokenMeta } from '#shared/token-meta.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { restorePath } from './contract.ts';
import { linkPreview, signInWithLink } from './sign-in/email-sign-in.server.ts';
import { EmailForm } from './web/sign-in-forms.tsx';
import { SignInPage } from './web/sign-in-page.tsx';

export const handle = { page: 'public', cache: false };

export const meta = () => tokenMeta(m.sign_in_confirm_title());

export const headers = tokenHeaders;

type View =
  | { state: 'open'; token: string; maskedEmail: string; sameBrowser: boolean }
  | { state: 'closed'; text: string };

const closed = (text: string, status: number) => data<View>({ state: 'closed', text }, { status });

/** Only reads, because mail scanners follow links. */
export async function loader({ request }: LoaderFunctionArgs) {
  const token = new URL(request.url).searchParams.get('token') ?? '';
  const preview = await linkPreview(token, request.headers.get('cookie'));
  return preview ? data<View>({ state: 'open', token, ...preview }) : closed(m.sign_in_link_used(), 410);
}

export async function action({ request, context }: ActionFunctionArgs) {
  const token = (await request.formData()).get('token');
  const { clientAddress } = context.get(pageContext);
  const userAgent = request.headers.get('user-agent') ?? '';
  try {
    const browser = { address: clientAddress, userAgent, cookieHeader: request.headers.get('cookie') };
    const result = await signInWithLink(token, browser);
    if (!result) return closed(m.sign_in_link_used(), 410);
    const next = result.kind === 'deleted' ? restorePath : (result.next ?? '/?success=login');
    const headers: [string, string][] = [result.cookie, result.deviceCookie].map((line) => [
      'set-cookie',
      line,
    ]);
    return redirect(next, { status: 303, headers });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return closed(error.message, error.status);
  }
}

export default function Confirm() {
  const loaded = useLoaderData<typeof loader>();
  const view: View = useActionData<typeof action>() ?? loaded;
  return view.state === 'open' ? (
    <SignInPage title={m.sign_in_confirm_title()} stripQuery>
      {view.sameBrowser ? null : <Notice kind="info">{m.sign_in_other_browser()}</Notice>}
      <form method="post" action="/sign-in/confirm">
        <input type="hidden" name="token" value={view.token} />
        <Button variant="primary" size="lg" className="w-full" type="submit">
          {m.sign_in_as({ email: view.maskedEmail })}
        </Button>
      </form>
    </SignInPage>
  ) : (
    <SignInPage title={m.sign_in_again()} stripQuery>
      <Notice kind="danger">{view.text}</Notice>
      <p className="muted">{m.sign_in_new_link()}</p>
      <EmailForm next={null} />
    </SignInPage>
  );
}
