import { type ComponentType, type ReactNode, Suspense } from 'react';

export interface LandingPartProps {
  part: 'head' | 'sample' | 'foot';
}

/**
 * Only guests load this code. Each element is created once, so that typing in the form next to it does not rerender it
 * and the server's HTML stays until the code has loaded.
 */
export function landingParts(
  Landing: ComponentType<LandingPartProps>,
): Record<LandingPartProps['part'], ReactNode> {
  const part = (name: LandingPartProps['part']) => (
    <Suspense fallback={null}>
      <Landing part={name} />
    </Suspense>
  );
  return { head: part('head'), sample: part('sample'), foot: part('foot') };
}
