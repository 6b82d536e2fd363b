import { toast } from '../../../client/page-events.ts';

/** Tells of a change that the server did not take. */
export const failed = (error: unknown) =>
  toast({
    text: error instanceof Error ? error.message : 'That did not work. Please try again.',
    kind: 'danger',
  });
