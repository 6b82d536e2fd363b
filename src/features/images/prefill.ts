import { prefillText } from '#client/form-draft.ts';

export const imageFormKey = 'image';

/**
 * Puts a prompt into the form of the Image Generator, which shows it at its next opening, before what was typed there.
 * @param owner id of the person whose text it is.
 * @returns false where the browser stores nothing.
 */
export const prefillImagePrompt = (text: string, owner: string): boolean =>
  prefillText(imageFormKey, owner, text);
