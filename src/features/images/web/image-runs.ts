import { progressLines } from '#features/generations/web/progress-lines.ts';
import { backgroundRuns } from '#features/tools/web/background-runs.ts';
import { m } from '#messages';
import type { ImageStep } from '../contract.ts';

export const imageSteps = (text: string): ImageStep[] => progressLines(text);

export const imageRun = (id: string) => ({ run: id, path: `/tools/image/${id}` });

export const imageRuns = backgroundRuns({
  stored: {
    key: 'images-running',
    parse: (id) => (typeof id === 'string' ? imageRun(id) : null),
    format: ({ run }) => run,
  },
  notice(_, { state, error }, text) {
    const made = imageSteps(text).filter((step) => 'picture' in step).length;
    if (made > 0) return { text: m.images_ready({ count: made }), kind: 'success' };
    return state === 'stopped'
      ? null
      : { title: m.images_none_title(), text: error?.message ?? '', kind: 'danger' };
  },
});
