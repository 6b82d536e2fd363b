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
function keepEarlyPress(): void {
  let button: HTMLElement | null = null;
  const keep = ({ target }: Event) => {
    button =
      (target as Element).closest<HTMLElement>(
        'main button[type=button]:not([popovertarget],[commandfor])',
      ) ?? button;
  };
  addEventListener('click', keep, true);
  window.earlyPress = {
    stop: () => removeEventListener('click', keep, true),
    repeat: () =>
      // In a separate task: React cannot hydrate the clicked part while it is still running effects.
      setTimeout(() => {
        if (button?.isConnected) button.click();
        button = null;
      }),
  };
}

export const earlyPressScript = `(${keepEarlyPress})()`;
