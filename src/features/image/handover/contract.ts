import { prefillForm } from '../../../client/kept-form.ts';
import { imageLimits } from '../contract.ts';

/** The form of the Image Generator, as this browser keeps it. */
export const imageForm = 'image';

/** Characters that a prompt of the Image Generator may have. */
export const imagePromptMost = imageLimits.prompt;

/**
 * Puts a prompt into the form of the Image Generator, which shows it at its next opening, before what was typed there.
 * @param owner id of the person whose text it is.
 * @returns false where the browser stores nothing.
 */
export const handPromptOver = (text: string, owner: string): boolean =>
  prefillForm(imageForm, owner, ({ prompt }) => {
    const typed = typeof prompt === 'string' ? prompt.trim() : '';
    return { prompt: typed === '' || typed === text.trim() ? text : `${text}\n\n${typed}` };
  });
