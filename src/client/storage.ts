interface SafeStorage extends Pick<Storage, 'getItem' | 'removeItem' | 'clear' | 'key' | 'length'> {
  /** @returns false if nothing was stored */
  setItem(name: string, value: string): boolean;
  readonly works: boolean;
}

/**
 * Storage that is disabled, forbidden or full throws, even on access to the property. tests/structure.test.ts forbids any
 * other access.
 */
function safe(getStore: () => Storage): SafeStorage {
  const attempt = <T>(work: (store: Storage) => T, fallback: T): T => {
    try {
      return work(getStore());
    } catch {
      return fallback;
    }
  };
  return {
    getItem: (name) => attempt((store) => store.getItem(name), null),
    setItem: (name, value) =>
      attempt((store) => {
        store.setItem(name, value);
        return true;
      }, false),
    removeItem: (name) => attempt((store) => store.removeItem(name), undefined),
    clear: () => attempt((store) => store.clear(), undefined),
    key: (at) => attempt((store) => store.key(at), null),
    get length() {
      return attempt((store) => store.length, 0);
    },
    get works() {
      return attempt((store) => store.length >= 0, false);
    },
  };
}

export const local = safe(() => localStorage);
export const session = safe(() => sessionStorage);

export const storageKeys = (store: Pick<Storage, 'key' | 'length'>): string[] =>
  Array.from({ length: store.length }, (_, at) => store.key(at) ?? '');
