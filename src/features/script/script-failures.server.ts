import { m } from '#messages';

export const scriptFailures = {
  script_empty: m.script_empty,
  script_not_screenplay: m.script_not_screenplay,
};
export type ScriptFailure = keyof typeof scriptFailures;
