import { toast } from '../../../client/page-events.ts';
import { ProblemError } from '../../../client/problem-error.ts';

const unreached = 'The connection was lost. Please check it and try again.';

/** Tells of what the server did not do. */
export const failed = (error: unknown): void =>
  toast({ title: 'Error', text: error instanceof ProblemError ? error.message : unreached, kind: 'danger' });
