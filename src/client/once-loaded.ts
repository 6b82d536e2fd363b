import { type ComponentType, lazy, useState } from 'react';

/**
 * `lazy` for what may be loaded before it is drawn: then it is drawn, or taken over from the server's HTML, at once.
 * `lazy` itself would leave a frame without it, and React loses presses on what it has not taken over for want of code.
 * @returns its loader, and the hook that gives the component to draw
 */
export function onceLoaded<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined;
  const ahead = async () => {
    loaded ??= await load();
    return { default: loaded };
  };
  const Later = lazy(ahead) as unknown as ComponentType<Props>;
  return [ahead, () => useState(() => loaded ?? Later)[0]] as const;
}
