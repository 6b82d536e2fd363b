import { type ComponentType, type ReactNode, Suspense } from 'react';

export interface LandingPartProps {
  part: 'head' | 'sample' | 'foot';
}

/**
 * Only guests load their code. Each is one element for good: typing in the form beside it does not render it again, so
 * that the server's HTML stays until the code is there.
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
