declare module 'virtual:enhance' {
  export const url: string;
}

declare module 'virtual:keep-on-device' {
  export const url: string;
}

declare module 'virtual:offline-page' {
  export const url: string;
}

declare module 'virtual:service-worker' {
  export const code: string;
}

declare module 'virtual:react-router/server-build' {
  import type { ServerBuild } from 'react-router';
  export const routes: ServerBuild['routes'];
}
