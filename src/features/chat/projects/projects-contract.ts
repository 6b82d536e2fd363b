import { z } from 'zod/mini';

export const projectLimits = {
  /** Per person. */
  projects: 50,
  /** UTF-16 units. */
  name: 80,
  /** UTF-16 units, the same as for each of a person's own instructions. */
  instructions: 1_500,
} as const;

/** Row on the first page of `GET /api/chats`, newest first. */
export interface ProjectRow {
  id: string;
  name: string;
  /** Number of chats that are not archived. */
  chats: number;
}

/** Response of `GET /api/projects/:id`, which also has its files. */
export interface Project extends ProjectRow {
  instructions: string;
}

/** Body of `POST /api/projects`. An id that the person already used returns that project. */
export const createProject = /* @__PURE__ */ (() =>
  z.object({ id: z.optional(z.uuid()), name: z.string(), instructions: z.optional(z.string()) }))();

/** Body of `PATCH /api/projects/:id`. */
export const changeProject = /* @__PURE__ */ (() =>
  z
    .object({ name: z.optional(z.string()), instructions: z.optional(z.string()) })
    .check(z.refine(({ name, instructions }) => name !== undefined || instructions !== undefined)))();
