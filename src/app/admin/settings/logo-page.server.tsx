import { z } from 'zod';
import { LogoError, storeLogo } from '#platform/brand-files/brand-files.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { readBytes } from '#platform/http/request-body.server.ts';
import { changeSettings } from '#platform/settings/change-settings.server.ts';
import { setting } from '#shared/settings.ts';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { PressField } from '../act-form.tsx';
import { type Act, afterAct, readAct } from '../acts.server.ts';
import { adminPage } from '../admin-page.server.tsx';
import { AdminRefusal, type AdminRequest, type AdminRoute } from '../admin-request.server.ts';

const here = '/admin/settings/logo';

const MAX_MEBIBYTES = 2;

function Present() {
  const logo = setting('brand.logo');
  if (!logo) return <p className="text-sm">None: pages show the shipped mark beside the name.</p>;
  return (
    <>
      <div className="row">
        <img
          className="card h-24 w-auto max-w-full object-contain"
          src={logo.path}
          alt="The logo"
          width={logo.width}
          height={logo.height}
        />
        {logo.icon ? (
          <img className="card size-24" src={logo.icon} alt="The icon of browsers" width={96} height={96} />
        ) : null}
      </div>
      <form method="post" action={`${here}/removed`}>
        <PressField />
        <Button type="submit">Take it back</Button>
      </form>
    </>
  );
}

function page(request: AdminRequest, { problem, status = 200 }: { problem?: string; status?: number } = {}) {
  return adminPage(request, {
    title: 'Logo',
    here: '/admin/settings',
    status,
    children: (
      <>
        <h1 className="h2">Logo</h1>
        <p className="max-w-prose text-sm">
          Stands where the shipped mark does: on all pages, on social cards and as the icon of browsers. The
          mails of the site carry no mark. Every process shows it within 5 seconds; a page that is open keeps
          the old one, and a browser its icon for an hour.{' '}
          <a className="link" href="/admin/settings">
            All settings
          </a>
        </p>
        <section className="grid gap-4" aria-label="Present logo">
          <Present />
        </section>
        <form method="post" action={here} encType="multipart/form-data" className="card grid max-w-lg gap-4">
          <PressField />
          <Field
            label="Picture"
            error={problem && `The picture ${problem}.`}
            hint={`PNG, SVG or WebP, ${MAX_MEBIBYTES} MB at most. It is drawn anew as PNG files, so that nothing else of the file reaches a browser. One about as wide as tall stands beside the name, a wider one in its place. See to it that it can be read on light and on dark pages.`}
          >
            {(control) => (
              <input
                {...control}
                className="input"
                type="file"
                name="picture"
                accept="image/png,image/svg+xml,image/webp"
                required
              />
            )}
          </Field>
          <div>
            <Button look="primary" type="submit">
              Use this picture
            </Button>
          </div>
        </form>
      </>
    ),
  });
}

const form = z.object({ press: z.uuid(), picture: z.instanceof(File) });

async function readUpload({ c, operator }: AdminRequest): Promise<{ act: Act; picture: Buffer }> {
  const type = c.req.header('content-type') ?? '';
  if (!/^multipart\/form-data\b/i.test(type))
    throw new Problem('unsupported_type', 'A form with a file is expected.');
  const bytes = await readBytes(c.req.raw, (MAX_MEBIBYTES + 1) * 1024 * 1024);
  const sent = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })
    .formData()
    .catch(() => null);
  const read = form.safeParse(Object.fromEntries(sent ?? []));
  if (!read.success) throw new AdminRefusal('The form cannot be read.');
  const { press, picture } = read.data;
  const act = { operator: operator.email, operatorId: operator.actor.userId, press, reason: '' };
  return { act, picture: Buffer.from(await picture.arrayBuffer()) };
}

function change(act: Act, logo: object | null): Promise<number | null> {
  const { operator: actor, operatorId, press } = act;
  return changeSettings({ actor, operatorId, press, patch: { 'brand.logo': logo } });
}

async function upload(request: AdminRequest): Promise<Response> {
  const { act, picture } = await readUpload(request);
  try {
    if (picture.length === 0) throw new LogoError('is empty');
    if (picture.length > MAX_MEBIBYTES * 1024 * 1024)
      throw new LogoError(`is larger than ${MAX_MEBIBYTES} MB`);
    await change(act, await storeLogo(picture));
  } catch (error) {
    if (error instanceof LogoError) return page(request, { problem: error.message, status: 400 });
    throw error;
  }
  return afterAct(request, here, act);
}

async function takeBack(request: AdminRequest): Promise<Response> {
  const { act } = await readAct(request, {});
  await change(act, null);
  return afterAct(request, here, act);
}

export const logoRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: here, handle: (request) => page(request) },
  { method: 'POST', path: here, handle: upload },
  { method: 'POST', path: `${here}/removed`, handle: takeBack },
];
