import { useCallback, useEffect, useRef, useState } from 'react';
import { local } from './storage.ts';

/** Begins with what is removed at sign-out and swept when it is old; see `StoredItem` `draft:*`. */
const nameOf = (form: string) => `draft:form:${form}`;

interface Kept {
  values: Record<string, unknown>;
  at: number;
  owner: string | null;
}

/** Storage may hold a stranger's value: the page works without it. */
function read(form: string): Kept | null {
  try {
    const value = JSON.parse(local.getItem(nameOf(form)) ?? 'null') as Partial<Kept> | null;
    if (typeof value?.at !== 'number' || typeof value.values !== 'object' || value.values === null)
      return null;
    return {
      values: value.values,
      at: value.at,
      owner: typeof value.owner === 'string' ? value.owner : null,
    };
  } catch {
    return null;
  }
}

/** @returns false where the browser stores nothing. */
function write(form: string, kept: Kept | null): boolean {
  if (kept) return local.setItem(nameOf(form), JSON.stringify(kept));
  local.removeItem(nameOf(form));
  return local.works;
}

/**
 * Fills in values of a form of another page, which shows them at its next opening.
 * @param owner id of the person who fills it in; what another person typed there is not kept.
 * @param filled the values that change, by those that are there.
 * @returns false where the browser stores nothing.
 */
export function prefillForm(
  form: string,
  owner: string,
  filled: (kept: Record<string, unknown>) => Record<string, unknown>,
): boolean {
  const kept = read(form);
  const values = kept && (kept.owner === null || kept.owner === owner) ? kept.values : {};
  return write(form, { values: { ...values, ...filled(values) }, at: Date.now(), owner });
}

/** What was kept, where it is of the same kind as what the form begins with. */
function merged<T extends object>(initial: T, kept: Record<string, unknown>): T {
  const known = Object.entries(kept).filter(
    ([name, value]) => name in initial && typeof value === typeof initial[name as keyof T],
  );
  return { ...initial, ...Object.fromEntries(known) };
}

export interface KeptForm<T> {
  values: T;
  /** Changes some values and keeps them in this browser. */
  change(changed: Partial<T>): void;
  /** Forgets what was kept; the values stay as they are. */
  forget(): void;
  /** What was kept is in `values`: false until the page runs. */
  ready: boolean;
}

/**
 * The values of a form, kept in this browser over a reload and a sign-in: what a guest typed becomes that of whoever
 * signs in, what another person typed is neither shown nor kept. Values that this browser should not keep do not
 * belong in it.
 * @param owner id of the person who is signed in; null for a guest.
 * @param initial strings, numbers and booleans.
 */
export function useKeptForm<T extends object>(form: string, initial: T, owner: string | null): KeptForm<T> {
  const [values, setValues] = useState(initial);
  const [ready, setReady] = useState(false);
  const latest = useRef(values);
  const first = useRef(initial);
  const whose = useRef<string | null>(null);

  useEffect(() => {
    const kept = read(form);
    const foreign = kept?.owner != null && owner !== null && kept.owner !== owner;
    if (foreign) write(form, null);
    // Signed out here: what is shown stays its writer's.
    whose.current = owner ?? (foreign ? null : (kept?.owner ?? null));
    if (kept && !foreign) {
      latest.current = merged(first.current, kept.values);
      setValues(latest.current);
      write(form, { ...kept, owner: whose.current });
    } else if (foreign) {
      latest.current = first.current;
      setValues(first.current);
    }
    setReady(true);
  }, [form, owner]);

  const change = useCallback(
    (changed: Partial<T>) => {
      latest.current = { ...latest.current, ...changed };
      setValues(latest.current);
      write(form, {
        values: { ...latest.current } as Record<string, unknown>,
        at: Date.now(),
        owner: whose.current,
      });
    },
    [form],
  );
  const forget = useCallback(() => write(form, null), [form]);
  return { values, change, forget, ready };
}
