import type { ReactNode } from 'react';
import {
  changeSettings,
  readSettings,
  SettingsConflictError,
  SettingsError,
  type SettingView,
} from '#platform/settings/change-settings.server.ts';
import { settingGroups } from '#platform/settings/setting-definitions.server.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { PressField } from '../action-form.tsx';
import { redirectAfterAction } from '../actions.server.ts';
import { adminPage } from '../admin-page.server.tsx';
import type { AdminRequest } from '../admin-request.server.ts';
import { SettingField } from './setting-field.tsx';
import {
  buildPatch,
  displayText,
  type EnteredSettings,
  isInForm,
  newestChange,
  readSettingsForm,
} from './settings-form.server.ts';

export const here = '/admin/settings';

type Group = (typeof settingGroups)[number];

const notes: Partial<Record<Group, string>> = {
  Tools:
    'A tool that is off disappears from menus and sitemaps. Runs in progress finish, and what people made still opens from their dashboard.',
  Prices:
    'Open pages show the old price until they are reloaded. If somebody starts a run at the old price, nothing starts and nothing is charged: the page says that prices changed and asks them to reload. Runs in progress keep their price, and subscribers keep theirs. Plans are charged by their product at the payment provider: change the price there first, then here, then check Health.',
  Payments:
    'Product ids at the payment provider. A plan without one is not for sale, and two plans cannot share one. People already checking out with an earlier product still get it.',
};

interface PageOptions {
  entered?: EnteredSettings;
  /** The newest change known to the submitted form, so that later changes are still detected. */
  seen?: number;
  problems?: SettingsError['problems'];
  status?: number;
  notice?: ReactNode;
}

function GroupFields({
  group,
  settings,
  entered,
  errors,
}: {
  group: Group;
  settings: readonly SettingView[];
  entered?: EnteredSettings | undefined;
  errors: ReadonlyMap<string, string>;
}) {
  return (
    <section className="card grid gap-6" aria-labelledby={`group-${group}`}>
      <h2 className="h3" id={`group-${group}`}>
        {group}
      </h2>
      {notes[group] ? <p className="max-w-prose text-sm">{notes[group]}</p> : null}
      <div className="grid items-start gap-x-8 gap-y-6 md:grid-cols-2">
        {settings.map((setting) =>
          isInForm(setting.name) ? (
            <SettingField
              key={setting.name}
              setting={setting}
              entered={entered?.get(setting.name)}
              error={errors.get(setting.name)}
            />
          ) : (
            <p
              key={setting.name}
              id={`field-${setting.name}`}
              className="grid justify-items-start gap-1.5 md:col-span-2"
            >
              <span className="label">{setting.label}</span>
              <span className="text-sm">Now: {displayText(setting, setting.value)}.</span>
              <a className="link text-sm" href="/admin/settings/logo">
                Change the logo
              </a>
            </p>
          ),
        )}
      </div>
      <div>
        <Button variant="primary" type="submit">
          Save all changes
        </Button>
      </div>
    </section>
  );
}

async function page(
  request: AdminRequest,
  { entered, seen, problems = [], status = 200, notice }: PageOptions,
) {
  const settings = await readSettings();
  const errors = new Map(
    problems.flatMap(
      (each): Array<[string, string]> => (typeof each === 'string' ? [] : [[each.name, each.problem]]),
    ),
  );
  const generalProblems = problems.filter((each) => typeof each === 'string');
  const labelOf = (name: string) => settings.find((each) => each.name === name)?.label ?? name;
  const groups = settingGroups.filter((group) => settings.some((each) => each.group === group));
  return adminPage(request, {
    title: 'Settings',
    here,
    status,
    children: (
      <>
        <h1 className="h2">Settings</h1>
        <p className="text-sm">
          Changes go live within 5 seconds. Open pages keep what they were loaded with.{' '}
          <a className="link" href={`${here}/history`}>
            History and undo
          </a>
        </p>
        {notice}
        {problems.length > 0 ? (
          <Notice kind="danger" as="div">
            <p>Nothing was saved. What you typed is still here.</p>
            <ul>
              {generalProblems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
              {[...errors].map(([name, problem]) => (
                <li key={name}>
                  <a className="link" href={`#field-${name}`}>
                    {labelOf(name)}
                  </a>{' '}
                  {problem}.
                </li>
              ))}
            </ul>
          </Notice>
        ) : null}
        <nav className="row text-sm" aria-label="Groups of settings">
          {groups.map((group) => (
            <a key={group} className="link" href={`#group-${group}`}>
              {group}
            </a>
          ))}
        </nav>
        <form method="post" action={here} className="grid gap-6">
          <PressField />
          <input type="hidden" name="seen" value={seen ?? newestChange(settings)} />
          {groups.map((group) => (
            <GroupFields
              key={group}
              group={group}
              settings={settings.filter((each) => each.group === group)}
              entered={entered}
              errors={errors}
            />
          ))}
        </form>
      </>
    ),
  });
}

export const settingsPage = (request: AdminRequest): Promise<Response> => page(request, {});

export async function saveSettings(request: AdminRequest): Promise<Response> {
  const { action, entered, seen } = await readSettingsForm(request);
  try {
    const { operator: actor, operatorId, press } = action;
    const patch = buildPatch(entered);
    const change = await changeSettings({ actor, operatorId, press, patch, seen });
    if (change === null && Object.keys(patch).length === 0)
      return page(request, { notice: <Notice live>No changes to save.</Notice> });
    return redirectAfterAction(request, here, action);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const seenOption = error instanceof SettingsConflictError ? {} : { seen };
    return page(request, { entered, ...seenOption, problems: error.problems, status: 400 });
  }
}

/** Shows the submitted form again, to be resent after a new sign-in in another tab. */
export async function showSubmittedForm(request: AdminRequest): Promise<Response> {
  const { entered, seen } = await readSettingsForm(request);
  return page(request, {
    entered,
    seen,
    status: 403,
    notice: (
      <Notice kind="danger">
        Nothing was saved: you signed in too long ago.{' '}
        <a className="link" href={`/admin/sign-in?next=${here}`} target="_blank" rel="noreferrer">
          Sign in again in another tab
        </a>
        , then press Save here. What you typed is still here.
      </Notice>
    ),
  });
}
