import { prefillText } from '#client/form-draft.ts';

export const imageFormKey = 'image';

/** Replaces what was typed there before. @returns false where the browser stores nothing. */
export const prefillImagePrompt = (text: string, owner: string): boolean =>
  prefillText(imageFormKey, owner, text);
