import { variable } from './described-variable.server.ts';
import { flag, port } from './variable-kinds.server.ts';

/** For the local servers that replace outside services in the sandbox. */
export const standIns = {
  STANDINS_PORT: variable(port().optional(), {
    group: 'Server',
    about: 'Port of the local stand-ins. Default: PORT + 1.',
    example: '3001',
  }),
  STANDINS_STARTER: variable(port().optional(), {
    group: 'Server',
    about: 'Port on this machine that provides the local stand-ins instead of starting a process; for tests.',
    example: '4000',
  }),
  STANDINS_MARKERS: variable(flag().optional(), {
    group: 'Server',
    about: 'true lets a message control how the stand-in gateway behaves; for tests.',
    example: 'false',
  }),
};
