import { prefillText } from '#client/form-draft.ts';

export const imageFormKey = 'image';

/** Replaces text typed there before. @returns false if the browser doesn't store anything */
export const prefillImagePrompt = (text: string, owner: string): boolean =>
  prefillText(imageFormKey, owner, text);
