export const root = document.documentElement;

export function find<T extends HTMLElement>(selector: string, within: ParentNode = document): T | null {
  return within.querySelector<T>(selector);
}

export function on<K extends keyof DocumentEventMap>(
  type: K,
  selector: string,
  run: (element: HTMLElement, event: DocumentEventMap[K]) => void,
): void {
  document.addEventListener(type, (event) => {
    const element = event.target instanceof Element && event.target.closest<HTMLElement>(selector);
    if (element) run(element, event);
  });
}

export function dispatch(name: string, detail: unknown): void {
  document.dispatchEvent(new CustomEvent(name, { detail }));
}

/** Listens for an event of src/client/page-events.ts, and acknowledges it with `preventDefault`. */
export function listen<T>(name: string, run: (detail: T) => void): void {
  document.addEventListener(name, (event) => {
    event.preventDefault();
    run((event as CustomEvent<T>).detail ?? ({} as T));
  });
}

/** Posts JSON. A failed connection has status 0; a response without JSON has empty data. */
export async function post<T>(
  path: string,
  body: unknown,
  options?: RequestInit,
): Promise<{ status: number; data: Partial<T> & { error?: string } }> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...options,
    });
    return { status: response.status, data: await response.json().catch(() => ({})) };
  } catch {
    return { status: 0, data: {} };
  }
}

/** Changes the URL without a navigation, keeping the router's history state. */
export function rewriteAddress(change: (url: URL) => void): void {
  const url = new URL(location.href);
  change(url);
  history.replaceState(history.state, '', url);
}
