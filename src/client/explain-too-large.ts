import { m } from '#messages';
import { formatBytes } from '#shared/format-bytes.ts';
import { ProblemError } from './problem-error.ts';

/**
 * A server in front of ours refuses by a lower limit, which its answer does not name (nginx: 1 MB by default). In
 * bytes.
 */
export function explainTooLarge(problem: ProblemError, size: number, limit: number): ProblemError {
  const { status, body } = problem;
  if (status !== 413 || body.code !== 'internal') return problem;
  const error = m.upload_refused_by_proxy({ size: formatBytes(size), limit: formatBytes(limit) });
  return new ProblemError(status, { ...body, code: 'too_large', error }, null);
}
