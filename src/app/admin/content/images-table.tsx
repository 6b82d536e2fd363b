import { sql } from '#platform/database/sql.server.ts';
import type { AdminTable } from '../table/admin-table.ts';
import { figureColumn, personColumn, plainColumn, timeColumn } from '../table/columns.tsx';

interface ImageRow {
  id: string;
  prompt: string;
  created_at: Date;
  user_id: string;
  email: string | null;
  model: string;
  images: number;
}

/** Prompts that the model refused. Prompts refused by the check before a run are not stored. */
export const imagesTable: AdminTable<ImageRow> = {
  name: 'Refused image prompts',
  path: '/admin/images',
  rows: sql`
    select j.id, j.prompt, j.created_at, j.user_id, u.email, j.model,
           (select count(*)::int from image_pictures p where p.job_id = j.id) as images
      from image_jobs j join generations g on g.id = j.id join users u on u.id = j.user_id
     where g.error_message = 'run_declined' or g.finish_reason = 'filtered'`,
  id: { column: 'id', type: 'uuid' },
  order: '-asked',
  columns: [
    timeColumn('asked', 'Requested (UTC)', 'created_at'),
    plainColumn('prompt', 'Prompt', ({ prompt }) => prompt),
    plainColumn('model', 'Model', ({ model }) => model, { wideOnly: true }),
    figureColumn('images', 'Images made', 'images', ({ images }) => images),
    personColumn,
  ],
  search: {
    hint: 'Words in the prompt, or email',
    where: (_, pattern) => sql`(t.prompt ilike ${pattern} or t.email ilike ${pattern})`,
  },
  empty: 'No refused prompts.',
};
