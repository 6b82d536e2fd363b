import { z } from 'zod';
import { LogoError, storeLogo } from '#platform/brand-files/brand-files.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { readBytes } from '#platform/http/request-body.server.ts';
import { changeSettings } from '#platform/settings/change-settings.server.ts';
import { setting } from '#shared/settings.ts';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { PressField } from '../action-form.tsx';
import { type AdminAction, readAction, redirectAfterAction } from '../actions.server.ts';
import { adminPage } from '../admin-page.server.tsx';
import { AdminRefusal, type AdminRequest, type AdminRoute } from '../admin-request.server.ts';

const here = '/admin/settings/logo';

const MAX_MEBIBYTES = 2;

function CurrentLogo() {
  const logo = setting('brand.logo');
  if (!logo) return <p className="text-sm">No logo yet: pages show the built-in one next to the name.</p>;
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
          <img className="card size-24" src={logo.icon} alt="The browser icon" width={96} height={96} />
        ) : null}
      </div>
      <form method="post" action={`${here}/removed`}>
        <PressField />
        <Button type="submit">Remove logo</Button>
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
          Replaces the built-in logo on every page, on social cards and in browser tabs; emails show none. It
          goes live within 5 seconds. Open pages keep the old one until they are reloaded, and browsers may
          keep the old icon for an hour.{' '}
          <a className="link" href="/admin/settings">
            All settings
          </a>
        </p>
        <section className="grid gap-4" aria-label="Current logo">
          <CurrentLogo />
        </section>
        <form method="post" action={here} encType="multipart/form-data" className="card grid max-w-lg gap-4">
          <PressField />
          <Field
            label="Image"
            error={problem && `The image ${problem}.`}
            hint={`PNG, SVG or WebP, up to ${MAX_MEBIBYTES} MB. It is redrawn as PNG, so nothing else in the file reaches a browser. A roughly square logo stands next to the name; a wider one replaces it. Make sure it is readable on light and dark pages.`}
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
            <Button variant="primary" type="submit">
              Upload logo
            </Button>
          </div>
        </form>
      </>
    ),
  });
}

const form = z.object({ press: z.uuid(), picture: z.instanceof(File) });

async function readUpload({ c, operator }: AdminRequest): Promise<{ action: AdminAction; picture: Buffer }> {
  const type = c.req.header('content-type') ?? '';
  if (!/^multipart\/form-data\b/i.test(type))
    throw new Problem('unsupported_type', 'A form with a file is expected.');
  const bytes = await readBytes(c.req.raw, (MAX_MEBIBYTES + 1) * 1024 * 1024);
  const formData = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })
    .formData()
    .catch(() => null);
  const parsed = form.safeParse(Object.fromEntries(formData ?? []));
  if (!parsed.success) throw new AdminRefusal('The form cannot be read.');
  const { press, picture } = parsed.data;
  const action = { operator: operator.email, operatorId: operator.actor.userId, press, reason: '' };
  return { action, picture: Buffer.from(await picture.arrayBuffer()) };
}

function change(action: AdminAction, logo: object | null): Promise<number | null> {
  const { operator: actor, operatorId, press } = action;
  return changeSettings({ actor, operatorId, press, patch: { 'brand.logo': logo } });
}

async function upload(request: AdminRequest): Promise<Response> {
  const { action, picture } = await readUpload(request);
  try {
    if (picture.length === 0) throw new LogoError('is empty');
    if (picture.length > MAX_MEBIBYTES * 1024 * 1024)
      throw new LogoError(`is larger than ${MAX_MEBIBYTES} MB`);
    await change(action, await storeLogo(picture));
  } catch (error) {
    if (error instanceof LogoError) return page(request, { problem: error.message, status: 400 });
    throw error;
  }
  return redirectAfterAction(request, here, action);
}

async function removeLogo(request: AdminRequest): Promise<Response> {
  const { action } = await readAction(request, {});
  await change(action, null);
  return redirectAfterAction(request, here, action);
}

export const logoRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: here, handle: (request) => page(request) },
  { method: 'POST', path: here, handle: upload },
  { method: 'POST', path: `${here}/removed`, handle: removeLogo },
];
