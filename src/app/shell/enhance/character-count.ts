import { m } from '#messages';
import { find, on } from './dom.ts';

export function startCharacterCount(): void {
  on('input', '[data-most]', (field) => {
    const hint = find(`#${field.id}-hint`);
    const { value, dataset } = field as HTMLTextAreaElement;
    if (hint) hint.textContent = m.field_count({ length: [...value].length, most: Number(dataset.most) });
  });
}
