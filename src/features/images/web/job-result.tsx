import { Share2, Trash2 } from 'lucide-react';
import { Link } from 'react-router';
import type { useRefusal } from '#features/credits/web/use-refusal.tsx';
import { isRunning } from '#features/generations/contract.ts';
import type { RunEnd } from '#features/generations/web/use-run.ts';
import { openShare } from '#features/shares/web/open-share.ts';
import { ToolResult } from '#features/tools/web/tool-page.tsx';
import { m } from '#messages';
import { buttonClass } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import type { ImagePage } from '../contract.ts';
import { focusAfterPicture } from './gallery/focus-targets.ts';
import { JobRow } from './gallery/job-row.tsx';
import { type ShownJob, useGallery } from './gallery/use-gallery.ts';
import { jobTitle } from './job-title.ts';
import { useImageViewer } from './use-image-viewer.tsx';

interface JobResultProps {
  first: ImagePage;
  refusing: ReturnType<typeof useRefusal>;
  onEnd: (end: RunEnd) => void;
  onAgain: (job: ShownJob) => void;
  onDeleted: () => void;
  onRestored: (kind: 'job' | 'picture', id: string) => void;
}

export function JobResult({ first, refusing, onEnd, onAgain, onDeleted, onRestored }: JobResultProps) {
  const gallery = useGallery(first);
  const viewer = useImageViewer(gallery.jobs, onAgain);
  const [job] = gallery.jobs;
  if (!job)
    return (
      <ToolResult label={m.images_label()} title={m.images_deleted_title()} refusing={refusing}>
        <p>
          <Link className={buttonClass()} to="/tools/image">
            {m.images_all()}
          </Link>
        </p>
      </ToolResult>
    );
  const remove = (kind: 'job' | 'picture', id: string) => {
    const isLast = kind === 'job' || job.pictures.length === 1;
    if (!isLast) focusAfterPicture(job.id, id)?.focus({ preventScroll: true });
    gallery.remove(kind, job, id, isLast ? { onDeleted, onRestored: () => onRestored(kind, id) } : {});
  };
  const running = isRunning(job.state);
  return (
    <ToolResult
      label={m.images_label()}
      title={jobTitle(job.prompt)}
      refusing={refusing}
      actions={
        running || job.pictures.length === 0 ? null : (
          <div className="flex">
            <IconButton
              label={m.share_images_title({ count: job.pictures.length })}
              title={m.share_menu()}
              onClick={() => void openShare({ kind: 'images', pictureIds: job.pictures.map(({ id }) => id) })}
              Icon={Share2}
            />
            <IconButton
              label={job.pictures.length === 1 ? m.images_delete_one() : m.images_delete_all()}
              title={m.common_delete()}
              onClick={() => remove('job', job.id)}
              Icon={Trash2}
            />
          </div>
        )
      }
    >
      <JobRow
        large
        job={job}
        gallery={gallery}
        onEnd={onEnd}
        onOpen={viewer.open}
        onAgain={onAgain}
        onDeletePicture={(_, { id }) => remove('picture', id)}
        onDeleteJob={({ id }) => remove('job', id)}
      />
      {viewer.viewer}
    </ToolResult>
  );
}
