const deleteButtons = (row: Element) => [...row.querySelectorAll<HTMLElement>('[data-delete]')];

export function focusAfterJob(id: string): HTMLElement | null {
  const rows = [...document.querySelectorAll('[id^="images-"]')];
  const at = rows.findIndex((row) => row.id === `images-${id}`);
  const neighbor = rows[at + 1] ?? rows[at - 1];
  return neighbor?.querySelector<HTMLElement>('h3 a') ?? null;
}

export function focusAfterPicture(jobId: string, id: string): HTMLElement | null {
  const row = document.getElementById(`images-${jobId}`);
  if (!row) return null;
  const all = deleteButtons(row);
  const at = all.findIndex((button) => button.dataset.delete === id);
  return all[at + 1] ?? all[at - 1] ?? focusAfterJob(jobId);
}

export function focusRestored(kind: 'job' | 'picture', id: string): HTMLElement | null {
  if (kind === 'job')
    return document.getElementById(`images-${id}`)?.querySelector('h3 a, li button') ?? null;
  const tile = document.querySelector(`[data-delete="${id}"]`)?.closest('li');
  return tile?.querySelector<HTMLElement>('button') ?? null;
}
