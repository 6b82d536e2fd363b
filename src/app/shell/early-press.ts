declare global {
  interface Window {
    earlyPress?: {
      /** Stops recording clicks, once React handles them. */
      stop(): void;
      /** Repeats the recorded click, once the page is hydrated. */
      repeat(): void;
    };
  }
}

/**
 * Records the last button clicked on an app page before hydration, except submit and popover buttons, which work
 * without scripts. It becomes an inline script, so it must not use anything from outside the function.
 */
function recordEarlyPress(): void {
  let button: HTMLElement | null = null;
  const record = ({ target }: Event) => {
    button =
      (target as Element).closest<HTMLElement>(
        'main button[type=button]:not([popovertarget],[commandfor])',
      ) ?? button;
  };
  addEventListener('click', record, true);
  window.earlyPress = {
    stop: () => removeEventListener('click', record, true),
    repeat: () =>
      // In a separate task: React cannot hydrate the clicked part while it is still running effects.
      setTimeout(() => {
        if (button?.isConnected) button.click();
        button = null;
      }),
  };
}

export const earlyPressScript = `(${recordEarlyPress})()`;
