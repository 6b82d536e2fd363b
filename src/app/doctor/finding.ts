/** `wrong` needs mending, `not set` is a choice, `note` is what nobody can see from here. */
export interface Finding {
  state: 'ok' | 'not set' | 'wrong' | 'note';
  about: string;
  /** Never a secret, nor an answer that may hold one. */
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
