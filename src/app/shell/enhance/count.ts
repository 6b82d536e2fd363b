import { find, on } from './dom.ts';

/** Below a field with `data-most`, its hint says how many of those characters are used, as one types. */
export function startCount(): void {
  on('input', '[data-most]', (field) => {
    const hint = find(`#${field.id}-hint`);
    const { value, dataset } = field as HTMLTextAreaElement;
    if (hint) hint.textContent = `${[...value].length.toLocaleString('en')} of ${dataset.most} characters`;
  });
}
