import type { Control } from './control.ts';
import type { HeldCalls } from './held-calls.ts';
import type { Router } from './http.ts';
import type { RequestLog } from './request-log.ts';
import type { Settings } from './settings.ts';

export interface StandInParts {
  settings: Settings;
  router: Router;
  control: Control;
  log: RequestLog;
  /** Calls that POST /control {"release": true} releases. */
  held: HeldCalls;
}

export interface StandIn {
  name: string;
  about: string;
  links: { href: string; text: string }[];
  ready?: Record<string, unknown>;
  close?: () => Promise<void>;
}
