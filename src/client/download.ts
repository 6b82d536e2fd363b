import { readProblem } from './problem-error.ts';

const nameIn = (disposition: string | null) =>
  decodeURIComponent(/filename\*=UTF-8''([^;]+)/.exec(disposition ?? '')?.[1] ?? 'text');

/** Saves what our API answers at this path as a file on the person's device. Throws ProblemError. */
export async function download(path: string): Promise<void> {
  const response = await fetch(path);
  if (!response.ok) throw await readProblem(response);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = nameIn(response.headers.get('content-disposition'));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
