import { useNavigate, useRevalidator } from 'react-router';
import type { VersionRow, WorkView } from '../../works/contract.ts';
import { restoreVersion } from '../../works/web/api.ts';
import { VersionList } from '../../works/web/version-list.tsx';
import { scriptStyles } from '../contract.ts';
import { failed } from './failed.ts';

const settingsOf = ({ settings }: VersionRow): string => {
  const style = scriptStyles.find(({ value }) => value === settings.style)?.label;
  const minutes = typeof settings.minutes === 'number' ? `${settings.minutes} min` : null;
  return [style, minutes].filter(Boolean).join(', ');
};

/** The versions of a script, each to look at and to go back to. */
export function ScriptVersions({ work }: { work: WorkView }) {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const here = `/tools/script/${work.id}`;
  const show = ({ id }: VersionRow) => {
    const newest = work.versions[0]?.id === id;
    void navigate(newest ? here : `?version=${id}`, { preventScrollReset: true });
  };
  const restore = ({ id }: VersionRow) => {
    restoreVersion(work.id, id)
      .then(() => navigate(here, { preventScrollReset: true }))
      .then(() => revalidate(), failed);
  };
  return (
    <div className="script-versions">
      <VersionList
        versions={work.versions}
        shown={work.version.id}
        settingsOf={settingsOf}
        onShow={show}
        onRestore={restore}
      />
    </div>
  );
}
