import { type ComponentType, type ReactNode, Suspense } from 'react';

export interface LandingPartProps {
  part: 'head' | 'sample' | 'foot';
}

/**
 * The parts of a tool's landing, whose code only guests load. Each is one element for good: what is typed in the form
 * beside it does not reach it, so that the server's HTML stays until its code is there.
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
