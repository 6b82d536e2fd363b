declare module 'virtual:enhance' {
  /** Path of the built enhancement module, named by its content. */
  export const url: string;
}

declare module 'virtual:react-router/server-build' {
  import type { ServerBuild } from 'react-router';
  export const routes: ServerBuild['routes'];
}
