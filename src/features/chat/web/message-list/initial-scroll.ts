type ScrollReason = 'open' | 'sent' | 'resized';

/**
 * Reserves space below the last exchange, so that its question can be near the top while the answer grows; `open`
 * scrolls to the row with `data-target`, or else to the last question. The space is a minimum height of the last row
 * in message.css: nothing moves when the answer ends. Also runs as an inline script, so it must be self-contained.
 */
export function setInitialScroll(box: HTMLElement | null, reason: ScrollReason): void {
  const turns = box?.querySelector<HTMLElement>('.chat-turns');
  if (!box || !turns) return;
  delete box.dataset.landing;
  const last = turns.lastElementChild as HTMLElement | null;
  let question = last;
  while (question && question.dataset.role !== 'user')
    question = question.previousElementSibling as HTMLElement | null;
  if (!question || !last) return;
  const topOf = (element: Element) => element.getBoundingClientRect().top;
  if (reason !== 'resized') {
    if (reason === 'open') delete turns.dataset.room;
    const fits =
      reason === 'open'
        ? box.scrollHeight <= box.clientHeight
        : topOf(question) - topOf(turns) < box.clientHeight / 3;
    // Only if it changes, because setting it causes another layout.
    const needed = !fits && box.dataset.newer === undefined;
    if (needed !== (turns.dataset.room !== undefined)) turns.toggleAttribute('data-room', needed);
  }
  if (turns.dataset.room !== undefined) {
    const height = `${Math.round((topOf(last) - topOf(question)) * 100) / 100}px`;
    if (turns.style.getPropertyValue('--asked') !== height) turns.style.setProperty('--asked', height);
  }
  if (reason !== 'open') return;
  const target = turns.querySelector<HTMLElement>(':scope > [data-target]') ?? question;
  // Rows that were never shown only have an estimated height: those around the target are laid out now.
  let near: Element | null = target.previousElementSibling ?? target;
  for (let left = 5; near && left > 0; left--) {
    (near as HTMLElement).style.contentVisibility = 'visible';
    near = near.nextElementSibling;
  }
  const lead = Number.parseFloat(getComputedStyle(target).scrollMarginTop) || 0;
  box.scrollTop += topOf(target) - topOf(box) - lead;
}

export const initialScrollScript = `(${setInitialScroll})(document.querySelector('.chat-scroll[data-landing]'),'open')`;
