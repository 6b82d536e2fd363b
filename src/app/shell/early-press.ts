declare global {
  interface Window {
    earlyPress?: {
      /** Once React listens: from then on it loses no press itself. */
      stop(): void;
      /** Presses what was kept, once the page answers. */
      repeat(): void;
    };
  }
}

/**
 * Keeps the last button that was pressed in a page of the app before React listens. What submits or has a popover
 * works without scripts. An inline script, so it uses nothing from outside itself.
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
      // Outside of React's own work, where it cannot take over what is pressed first.
      setTimeout(() => {
        if (button?.isConnected) button.click();
        button = null;
      }),
  };
}

export const earlyPressScript = `(${keepEarlyPress})()`;
