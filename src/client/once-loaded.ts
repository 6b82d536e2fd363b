import { type ComponentType, lazy, useState } from 'react';

/**
 * Replaces `lazy` for components that may be loaded before they render: those render or hydrate immediately. `lazy`
 * would leave them out for one frame, and React loses clicks on parts that it has not hydrated because their code is
 * missing.
 * @returns the loader, and a hook that returns the component
 */
export function onceLoaded<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined;
  const preload = async () => {
    loaded ??= await load();
    return { default: loaded };
  };
  const LazyComponent = lazy(preload) as unknown as ComponentType<Props>;
  return [preload, () => useState(() => loaded ?? LazyComponent)[0]] as const;
}
