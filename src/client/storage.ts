interface SafeStorage extends Pick<Storage, 'getItem' | 'removeItem' | 'clear' | 'key' | 'length'> {
  /** @returns false if nothing was stored */
  setItem(name: string, value: string): boolean;
  readonly works: boolean;
}

/**
 * Storage that is disabled, forbidden or full throws, even on access to the property. tests/house.test.ts forbids any
 * other access.
 */
function safe(store: () => Storage): SafeStorage {
  const attempt = <T>(work: (store: Storage) => T, otherwise: T): T => {
    try {
      return work(store());
    } catch {
      return otherwise;
    }
  };
  return {
    getItem: (name) => attempt((from) => from.getItem(name), null),
    setItem: (name, value) =>
      attempt((into) => {
        into.setItem(name, value);
        return true;
      }, false),
    removeItem: (name) => attempt((from) => from.removeItem(name), undefined),
    clear: () => attempt((all) => all.clear(), undefined),
    key: (at) => attempt((of) => of.key(at), null),
    get length() {
      return attempt((of) => of.length, 0);
    },
    get works() {
      return attempt((of) => of.length >= 0, false);
    },
  };
}

export const local = safe(() => localStorage);
export const session = safe(() => sessionStorage);

export const namesIn = (store: Pick<Storage, 'key' | 'length'>): string[] =>
  Array.from({ length: store.length }, (_, at) => store.key(at) ?? '');
