import { createHash } from 'node:crypto';
import type { Kernel } from '../../src/index.ts';
import type { Note, NotesState } from './notes.ts';

/** State that an emulator of the crash tests finds when it starts. */
export interface Found {
  /** Text of each note, or of its body. */
  notes: Record<string, string>;
  /** Text of each half of a pair, or of its body. */
  halves: Record<string, string>;
}

/** The account of the crash tests. */
export const ACCOUNT = '000000000000';
const OTHER_ACCOUNT = '111111111111';
const REGION = 'us-east-1';
const OPERATIONS: Record<string, string> = {
  put: 'PutNote',
  body: 'PutBody',
  pair: 'PutPair',
  'body-pair': 'PutBodyPair',
  delete: 'DeleteNote',
};

/** Reads every note and every half, with their bodies. */
export async function look(kernel: Kernel): Promise<Found> {
  const service = await kernel.service('notes');
  const state = service.state(ACCOUNT, REGION) as NotesState;
  const found: Found = { notes: {}, halves: {} };
  for (const [name, half] of state.halves.entries()) found.halves[name] = await textOf(kernel, half);
  for (const [name, note] of state.notes.entries()) found.notes[name] = await textOf(kernel, note);
  return found;
}

async function textOf(kernel: Kernel, { text, body }: Note): Promise<string> {
  if (body === undefined) return text;
  const hash = createHash('sha256');
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of kernel.bodiesOf('notes').read(body)) {
      hash.update(chunk);
      chunks.push(chunk);
    }
  } catch (error) {
    return `lost body: ${String(error)}`;
  }
  return hash.digest('hex') === body ? Buffer.concat(chunks).toString() : `damaged body ${body}`;
}

/**
 * Runs a command and resolves when its changes are committed: `put|body|pair|body-pair|delete <name> <text>`, `reset`,
 * or `clear-out`, which resets another account and so runs the cleanup of all bodies.
 */
export async function run(kernel: Kernel, command: string): Promise<void> {
  const [verb, name, text] = command.split(' ') as [string, string, string];
  if (verb === 'reset') return kernel.reset('notes');
  if (verb === 'clear-out') return kernel.reset('notes', OTHER_ACCOUNT);
  const input = verb === 'delete' ? { Name: name } : { Name: name, Text: text };
  await kernel.callJson('notes', OPERATIONS[verb]!, input, { accountId: ACCOUNT, region: REGION });
}
