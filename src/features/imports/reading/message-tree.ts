import { importLimits } from '../contract.ts';
import type { ParsedMessage } from './import-protocol.ts';

/** A message of another service. `role` is null for a message that is not shown. */
export interface TreeNode extends Omit<ParsedMessage, 'parent' | 'role'> {
  id: string;
  parentId: string | null;
  role: ParsedMessage['role'] | null;
}

/** Thrown for messages that form a cycle, or are too many or too long in total. */
export class InvalidTree extends Error {}

/** UTF-16 units of all messages of a chat; text that branches share counts once per branch. */
export const MAX_CHAT_LENGTH = 8 * 1024 * 1024;

interface LinkedNode extends TreeNode {
  /** Its nearest shown ancestor. */
  ancestor: LinkedNode | null;
  /** The first message of the run of same-role messages that it belongs to. */
  first: LinkedNode;
  continues: LinkedNode | null;
  continued: boolean;
  answered: boolean;
}

/** Sorts ancestors before descendants, and otherwise keeps the order of `nodes`. @throws InvalidTree */
function parentsFirst(nodes: Map<string, TreeNode>): TreeNode[] {
  const added = new Set<string>();
  const order: TreeNode[] = [];
  for (const node of nodes.values()) {
    const path: TreeNode[] = [];
    const above = new Set<string>();
    for (let at: TreeNode | undefined = node; at && !added.has(at.id); ) {
      if (above.has(at.id)) throw new InvalidTree();
      above.add(at.id);
      path.push(at);
      at = at.parentId === null ? undefined : nodes.get(at.parentId);
    }
    for (const each of path.reverse()) {
      added.add(each.id);
      order.push(each);
    }
  }
  return order;
}

/** Maps each node to the nearest shown message: itself or an ancestor. */
function linkShown(nodes: Map<string, TreeNode>): Map<string, LinkedNode | null> {
  const shown = new Map<string, LinkedNode | null>();
  for (const node of parentsFirst(nodes)) {
    const ancestor = (node.parentId === null ? null : shown.get(node.parentId)) ?? null;
    if (node.role === null) {
      shown.set(node.id, ancestor);
      continue;
    }
    const own = { ...node, ancestor, continues: null, continued: false, answered: false } as Omit<
      LinkedNode,
      'first'
    >;
    const linked = own as LinkedNode;
    const sameRole = ancestor?.role === node.role;
    linked.continues = sameRole ? ancestor : null;
    linked.first = sameRole ? ancestor.first : linked;
    if (ancestor && sameRole) ancestor.continued = true;
    else if (ancestor) ancestor.answered = true;
    shown.set(node.id, linked);
  }
  return shown;
}

/** Joins a run of same-role messages up to `last`. */
function joinRun(last: LinkedNode): Omit<ParsedMessage, 'parent' | 'role'> {
  const run: LinkedNode[] = [];
  for (let at: LinkedNode | null = last; at; at = at.continues) run.push(at);
  run.reverse();
  return {
    text: run
      .map(({ text }) => text)
      .filter((text) => text !== '')
      .join('\n\n'),
    at: last.first.at ?? last.at,
    images: run.reduce((sum, { images }) => sum + images, 0),
    files: run.flatMap(({ files }) => files),
    other: run.flatMap(({ other }) => other),
    attachments: run.flatMap(({ attachments }) => attachments),
  };
}

/**
 * Returns the shown messages with their parents. Consecutive messages of one role become one, because a reply that
 * called tools consists of several. `end` is the last node of the shown branch.
 * @throws InvalidTree
 */
export function messagesOf(
  nodes: Map<string, TreeNode>,
  end: string | null,
): { messages: ParsedMessage[]; shown: number | null } {
  if (nodes.size > importLimits.messagesPerChat * 3) throw new InvalidTree();
  const shown = linkShown(nodes);
  const indexes = new Map<LinkedNode, number>();
  const messages: ParsedMessage[] = [];
  let length = 0;
  for (const linked of new Set(shown.values())) {
    if (!linked || (linked.continued && !linked.answered)) continue;
    const role = linked.role as ParsedMessage['role'];
    const { ancestor } = linked.first;
    const parent = ancestor ? (indexes.get(ancestor) ?? null) : null;
    const message = { ...joinRun(linked), parent, role };
    length += message.text.length;
    if (length > MAX_CHAT_LENGTH || indexes.size >= importLimits.messagesPerChat) throw new InvalidTree();
    indexes.set(linked, indexes.size);
    messages.push(message);
  }
  const last = end === null ? null : (shown.get(end) ?? null);
  return { messages, shown: (last && indexes.get(last)) ?? null };
}
