import type { ComponentProps } from 'react';

/** A page that says one thing: not found, an error, a return. */
export const MessagePage = (props: ComponentProps<'main'>) => (
  <main
    id="main"
    className="wrap grid content-start justify-items-start gap-6 pt-24 pb-12 max-md:pt-12 max-md:pb-8"
    {...props}
  />
);
