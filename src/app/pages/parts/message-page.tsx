import type { ComponentProps } from 'react';

/** Layout of pages with a single message, such as errors and the return from a sign-in. */
export const MessagePage = (props: ComponentProps<'main'>) => (
  <main
    id="main"
    className="wrap grid content-start justify-items-start gap-6 pt-24 pb-12 max-md:pt-12 max-md:pb-8"
    {...props}
  />
);
