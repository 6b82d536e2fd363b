import { importLimits } from '../contract.ts';
import type { ReadMessage } from './import-protocol.ts';

/** A message of another service. `role` is null for a message that is not shown. */
export interface TreeNode extends Omit<ReadMessage, 'parent' | 'role'> {
  id: string;
  parentId: string | null;
  role: ReadMessage['role'] | null;
}

/** Thrown for messages that form a cycle, or are too many or too long in total. */
export class BadTree extends Error {}

/** UTF-16 units of all messages of a chat; text that branches share counts once per branch. */
export const MAX_CHAT_LENGTH = 8 * 1024 * 1024;

interface Placed extends TreeNode {
  /** Its nearest shown ancestor. */
  before: Placed | null;
  /** The first message of the run of same-role messages that it belongs to. */
  first: Placed;
  continues: Placed | null;
  goesOn: boolean;
  answered: boolean;
}

/** Sorts ancestors before descendants, and otherwise keeps the order of `nodes`. @throws BadTree */
function inOrder(nodes: Map<string, TreeNode>): TreeNode[] {
  const placed = new Set<string>();
  const order: TreeNode[] = [];
  for (const node of nodes.values()) {
    const trail: TreeNode[] = [];
    const above = new Set<string>();
    for (let at: TreeNode | undefined = node; at && !placed.has(at.id); ) {
      if (above.has(at.id)) throw new BadTree();
      above.add(at.id);
      trail.push(at);
      at = at.parentId === null ? undefined : nodes.get(at.parentId);
    }
    for (const each of trail.reverse()) {
      placed.add(each.id);
      order.push(each);
    }
  }
  return order;
}

/** Maps each node to the nearest shown message: itself or an ancestor. */
function place(nodes: Map<string, TreeNode>): Map<string, Placed | null> {
  const shown = new Map<string, Placed | null>();
  for (const node of inOrder(nodes)) {
    const before = (node.parentId === null ? null : shown.get(node.parentId)) ?? null;
    if (node.role === null) {
      shown.set(node.id, before);
      continue;
    }
    const own = { ...node, before, continues: null, goesOn: false, answered: false } as Omit<Placed, 'first'>;
    const placed = own as Placed;
    const sameRole = before?.role === node.role;
    placed.continues = sameRole ? before : null;
    placed.first = sameRole ? before.first : placed;
    if (before && sameRole) before.goesOn = true;
    else if (before) before.answered = true;
    shown.set(node.id, placed);
  }
  return shown;
}

/** Joins a run of same-role messages up to `last`. */
function joined(last: Placed): Omit<ReadMessage, 'parent' | 'role'> {
  const row: Placed[] = [];
  for (let at: Placed | null = last; at; at = at.continues) row.push(at);
  row.reverse();
  return {
    text: row
      .map(({ text }) => text)
      .filter((text) => text !== '')
      .join('\n\n'),
    at: last.first.at ?? last.at,
    images: row.reduce((sum, { images }) => sum + images, 0),
    files: row.flatMap(({ files }) => files),
    other: row.flatMap(({ other }) => other),
    attachments: row.flatMap(({ attachments }) => attachments),
  };
}

/**
 * Returns the shown messages with their parents. Consecutive messages of one role become one, because a reply that
 * called tools consists of several. `end` is the last node of the shown branch.
 * @throws BadTree
 */
export function messagesOf(
  nodes: Map<string, TreeNode>,
  end: string | null,
): { messages: ReadMessage[]; shown: number | null } {
  if (nodes.size > importLimits.messagesPerChat * 3) throw new BadTree();
  const shown = place(nodes);
  const places = new Map<Placed, number>();
  const messages: ReadMessage[] = [];
  let length = 0;
  for (const placed of new Set(shown.values())) {
    if (!placed || (placed.goesOn && !placed.answered)) continue;
    const role = placed.role as ReadMessage['role'];
    const { before } = placed.first;
    const parent = before ? (places.get(before) ?? null) : null;
    const message = { ...joined(placed), parent, role };
    length += message.text.length;
    if (length > MAX_CHAT_LENGTH || places.size >= importLimits.messagesPerChat) throw new BadTree();
    places.set(placed, places.size);
    messages.push(message);
  }
  const last = end === null ? null : (shown.get(end) ?? null);
  return { messages, shown: (last && places.get(last)) ?? null };
}
