import { useNavigate, useRevalidator } from 'react-router';
import { toast } from '#client/page-events.ts';
import { m } from '#messages';
import type { TextDetail } from '../contract.ts';
import { isOlderVersion, newestVersion } from './older-version-notice.tsx';
import { restoreVersion } from './texts-api.ts';

interface VersionsOptions {
  /** Saves manual changes first, so that they precede the new version; null if that failed. */
  save: () => Promise<string | null>;
  onRefused: (error: unknown) => void;
}

export function useVersions(work: TextDetail | null, { save, onRefused }: VersionsOptions) {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const path = `/tools/${work?.feature}/${work?.id}`;
  const newest = work ? newestVersion(work)?.id : undefined;
  const show = async (id: string) => {
    if ((await save()) === null) return;
    void navigate(id === newest ? path : `${path}?version=${id}`);
  };
  return {
    older: work !== null && isOlderVersion(work),
    show,
    showNewest: () => show(newest ?? ''),
    async restore(id: string) {
      if (!work || (await save()) === null) return;
      try {
        await restoreVersion(work.id, id);
        toast({ text: m.texts_restored(), kind: 'success' });
        await navigate(path);
        await revalidate();
      } catch (error) {
        onRefused(error);
      }
    },
  };
}
