import { ConnectionError, ProblemError, readProblem } from './problem-error.ts';

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1).replace(/\.0$/, '')} MB`;

/**
 * What a person is told where a server in front of ours refuses a file by a lower limit of its own, which its answer does
 * not name (nginx takes 1 MB unless it is told otherwise).
 * @param limit bytes that we take.
 */
export const refusedOnTheWay = (size: number, limit: number): string =>
  `A server in front of this site refused the file because of its size, ${megabytes(size)}. The site itself takes up to ` +
  `${megabytes(limit)}: please try a smaller file, and tell us about it on the contact page.`;

/** Reads why an upload failed: a refusal of ours, one by size of a server in front of it, or a lost connection. */
export async function uploadProblem(
  request: XMLHttpRequest,
  { size, limit }: { size: number; limit: number },
): Promise<Error> {
  const { status, responseText } = request;
  if (status === 0) return new ConnectionError(new Error('The upload was cut.'));
  const headers = ['retry-after', 'x-request-id'].map((name): [string, string] => [
    name,
    request.getResponseHeader(name) ?? '',
  ]);
  const problem = await readProblem(new Response(responseText, { status, headers }));
  if (status !== 413 || problem.body.code !== 'internal') return problem;
  const error = refusedOnTheWay(size, limit);
  return new ProblemError(status, { ...problem.body, code: 'too_large', error }, null);
}
