import { readProblem } from './problem-error.ts';
import { showError } from './show-error.ts';

const parseFileName = (disposition: string | null) =>
  decodeURIComponent(/filename\*=UTF-8''([^;]+)/.exec(disposition ?? '')?.[1] ?? 'text');

export const download = (path: string): Promise<void> => saveFile(path).catch(showError);

async function saveFile(path: string): Promise<void> {
  const response = await fetch(path);
  if (!response.ok) throw await readProblem(response);
  saveBlob(await response.blob(), parseFileName(response.headers.get('content-disposition')));
}

export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
