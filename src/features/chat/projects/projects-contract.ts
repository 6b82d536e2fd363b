import { z } from 'zod/mini';

export const projectLimits = {
  /** Of one person. */
  projects: 50,
  /** UTF-16 units. */
  name: 80,
  /** UTF-16 units, as of each of a person's own instructions. */
  instructions: 1_500,
} as const;

/** Of the first page of `GET /api/chats`, the newest first. */
export interface ProjectRow {
  id: string;
  name: string;
  /** How many chats it shows: those that are not archived. */
  chats: number;
}

/** `GET /api/projects/:id`, with its files. */
export interface Project extends ProjectRow {
  instructions: string;
}

/** Body of `POST /api/projects`. The same id again is the project that was made with it. */
export const createProject = /* @__PURE__ */ (() =>
  z.object({ id: z.optional(z.uuid()), name: z.string(), instructions: z.optional(z.string()) }))();

/** Body of `PATCH /api/projects/:id`. */
export const changeProject = /* @__PURE__ */ (() =>
  z
    .object({ name: z.optional(z.string()), instructions: z.optional(z.string()) })
    .check(z.refine(({ name, instructions }) => name !== undefined || instructions !== undefined)))();
