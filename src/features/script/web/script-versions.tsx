import { useNavigate, useRevalidator } from 'react-router';
import { toast } from '../../../client/page-events.ts';
import type { VersionRow, WorkView } from '../../works/contract.ts';
import { restoreVersion } from '../../works/web/api.ts';
import { newestOf } from '../../works/web/older-version.tsx';
import { VersionList } from '../../works/web/version-list.tsx';
import { scriptStyles } from '../contract.ts';
import { failed } from './failed.ts';
import type { Source } from './use-source.ts';

const settingsOf = ({ settings }: VersionRow): string => {
  const style = scriptStyles.find(({ value }) => value === settings.style)?.label;
  const minutes = typeof settings.minutes === 'number' ? `${settings.minutes} min` : null;
  return [style, minutes].filter(Boolean).join(', ');
};

interface VersionActions {
  show(id: string): Promise<void>;
  restore(id: string): Promise<void>;
}

/** The ways to another version; what was typed into this one is saved before. */
export function useVersions(work: WorkView, saved: Source['saved']): VersionActions {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const here = `/tools/script/${work.id}`;
  const newest = newestOf(work)?.id;
  return {
    async show(id) {
      if ((await saved()) === null) return;
      void navigate(id === newest ? here : `?version=${id}`, { preventScrollReset: true });
    },
    async restore(id) {
      if ((await saved()) === null) return;
      try {
        await restoreVersion(work.id, id);
        toast({ text: 'Restored as the newest version.', kind: 'success' });
        await navigate(here, { preventScrollReset: true });
        await revalidate();
      } catch (error) {
        failed(error);
      }
    },
  };
}

/** The versions of a script, each to look at and to go back to. */
export function ScriptVersions({ work, actions }: { work: WorkView; actions: VersionActions }) {
  return (
    <VersionList
      versions={work.versions}
      shown={work.version.id}
      settingsOf={settingsOf}
      onShow={({ id }) => void actions.show(id)}
      onRestore={({ id }) => void actions.restore(id)}
    />
  );
}
