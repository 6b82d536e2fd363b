/** `wrong` must be fixed, `not set` is a choice, `note` is something that the doctor cannot check. */
export interface Finding {
  state: 'ok' | 'not set' | 'wrong' | 'note';
  about: string;
  /** Must not contain a secret, or a service's response that may contain one. */
  text: string;
}

type Says = (about: string, text: string) => Finding;
const says =
  (state: Finding['state']): Says =>
  (about, text) => ({ state, about, text });

export const ok = says('ok');
export const notSet = says('not set');
export const wrong = says('wrong');
export const note = says('note');
