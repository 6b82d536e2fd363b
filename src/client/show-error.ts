import { m } from '#messages';
import { toast } from './page-events.ts';
import { ProblemError } from './problem-error.ts';

export const showError = (error: unknown): void =>
  toast({
    title: m.common_error(),
    text: error instanceof ProblemError ? error.message : m.common_connection_lost(),
    kind: 'danger',
  });
