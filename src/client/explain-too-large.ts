import { m } from '#messages';
import { formatBytes } from '#shared/format-bytes.ts';
import { ProblemError } from './problem-error.ts';

/**
 * Explains a 413 from a proxy in front of our server, which has a lower limit and does not report it (nginx: 1 MB by
 * default). Sizes are in bytes.
 */
export function explainTooLarge(problem: ProblemError, size: number, limit: number): ProblemError {
  const { status, body } = problem;
  if (status !== 413 || body.code !== 'internal') return problem;
  const error = m.upload_refused_by_proxy({ size: formatBytes(size), limit: formatBytes(limit) });
  return new ProblemError(status, { ...body, code: 'too_large', error }, null);
}
