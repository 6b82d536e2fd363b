const deletes = (row: Element) => [...row.querySelectorAll<HTMLElement>('[data-delete]')];

/** What takes the focus when a request goes: the link of the one after it, else of the one before. */
export function besideJob(id: string): HTMLElement | null {
  const rows = [...document.querySelectorAll('.image-job')];
  const at = rows.findIndex((row) => row.id === `images-${id}`);
  const beside = rows[at + 1] ?? rows[at - 1];
  return beside?.querySelector<HTMLElement>('.image-prompt a') ?? null;
}

/** What takes the focus when a picture goes: Delete of one beside it, else what does when its request goes. */
export function besidePicture(jobId: string, id: string): HTMLElement | null {
  const row = document.getElementById(`images-${jobId}`);
  if (!row) return null;
  const all = deletes(row);
  const at = all.findIndex((button) => button.dataset.delete === id);
  return all[at + 1] ?? all[at - 1] ?? besideJob(jobId);
}

/** What takes the focus when a picture or a request has come back; null where the page does not show it. */
export function broughtBack(what: 'job' | 'picture', id: string): HTMLElement | null {
  if (what === 'job')
    return document.getElementById(`images-${id}`)?.querySelector('.image-prompt a, .image-frame') ?? null;
  const tile = document.querySelector(`[data-delete="${id}"]`)?.closest('.image-tile');
  return tile?.querySelector<HTMLElement>('.image-frame') ?? null;
}
