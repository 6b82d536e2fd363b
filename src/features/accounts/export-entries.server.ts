import { z } from 'zod';
import type { ExportEntries } from '#platform/data-export.server.ts';
import { database } from '#platform/database/database.server.ts';
import type { UserActor } from '#platform/http/actor.server.ts';
import { keyView } from './api-keys/api-keys.server.ts';
import { keyScopes } from './api-keys/api-keys-contract.ts';
import { findKeys } from './api-keys/api-keys-store.server.ts';
import { readInstructions } from './instructions/instructions.server.ts';
import { readMemory } from './instructions/memory.server.ts';
import { accountDetails } from './profile/profile.server.ts';
import { findAvatar } from './profile/profile-store.server.ts';
import { listSessions } from './sessions/sessions.server.ts';

const time = z.iso.datetime();
const AVATAR = 'files/avatar.webp';

export const accountsExportEntries = {
  json: {
    account: {
      schema: z.object({
        id: z.uuid(),
        email: z.string(),
        name: z.string(),
        plan: z.enum(['free', 'pro', 'business']),
        credits: z.int(),
        createdAt: time,
        signInWith: z.array(z.string()).describe('Ways to sign in: email, and providers that were used'),
        chatModel: z
          .string()
          .nullable()
          .describe('Model in chat that was chosen last; null: the first of the site'),
        avatar: z.literal(AVATAR).nullable().describe('Path in this archive'),
      }),
      async read(actor: UserActor) {
        const details = await accountDetails({ actor });
        const picture = await findAvatar(database(), actor.userId);
        return { ...details, signInWith: ['email', ...details.providers], avatar: picture && AVATAR };
      },
    },
    instructions: {
      schema: z
        .object({
          about: z.string().describe('What the person says about themselves'),
          answers: z.string().describe('How replies in chats are to be'),
          enabled: z.boolean(),
        })
        .describe('Sent to the model with each chat message while enabled'),
      read: (actor: UserActor) => readInstructions({ actor }),
    },
    memory: {
      schema: z
        .object({
          enabled: z.boolean(),
          notes: z.array(z.object({ id: z.uuid(), text: z.string(), createdAt: time })),
        })
        .describe('What the person asked to be remembered; sent as the instructions are'),
      read: (actor: UserActor) => readMemory({ actor }),
    },
    apiKeys: {
      schema: z
        .array(
          z.object({
            id: z.uuid(),
            name: z.string(),
            lastFour: z.string(),
            scopes: z.array(z.enum(keyScopes)),
            ceiling: z.int().nullable().describe('Credits a UTC month'),
            endsOn: z.iso.date().nullable().describe('Last UTC day on which it works'),
            createdAt: time,
            usedAt: time.nullable(),
            revokedAt: time.nullable(),
            month: z.object({ runs: z.int(), credits: z.int() }).describe('Of the UTC month of this archive'),
          }),
        )
        .describe('Without the keys themselves, which are not kept'),
      async read({ userId }: UserActor) {
        const rows = await findKeys(database(), userId, { revoked: true });
        return rows.map((row) => {
          const { ended: _, ...key } = keyView(row);
          return { ...key, revokedAt: row.revoked_at?.toISOString() ?? null };
        });
      },
    },
    sessions: {
      schema: z.array(
        z.object({
          id: z.uuid(),
          createdAt: time,
          lastSeenAt: time,
          userAgent: z.string(),
          current: z.boolean(),
        }),
      ),
      read: (actor: UserActor) => listSessions({ actor }),
    },
  },
  async *files({ userId }: UserActor) {
    const picture = await findAvatar(database(), userId);
    if (picture) yield { name: AVATAR, content: picture.bytes };
  },
} satisfies ExportEntries;
