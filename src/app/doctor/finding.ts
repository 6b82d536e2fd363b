/** `wrong` must be fixed, `not set` is a choice, `note` is something that the doctor cannot check. */
export interface Finding {
  state: 'ok' | 'not set' | 'wrong' | 'note';
  about: string;
  /** Must not contain a secret, or a service's response that may contain one. */
  text: string;
}

type CreateFinding = (about: string, text: string) => Finding;
const findingFactory =
  (state: Finding['state']): CreateFinding =>
  (about, text) => ({ state, about, text });

export const ok = findingFactory('ok');
export const notSet = findingFactory('not set');
export const wrong = findingFactory('wrong');
export const note = findingFactory('note');
