import type { ServiceModel } from '@emu/wire';
import {
  type AnyServicePlugin,
  type Collection,
  defineCollection,
  definePlugin,
  type ServiceManifest,
  type StateScope,
  type Worker,
  type WorkingState,
} from '../../src/service.ts';

/** A note, with a text of its own or a body. */
export interface Note {
  text: string;
  body?: string;
}

const bodies = ({ body }: Note): string[] => (body === undefined ? [] : [body]);

const notes = defineCollection<Note>('notes', 'region', { bodies });
/** Pairs of records that change together. */
const halves = defineCollection<Note>('halves', 'region', { bodies });
/** Records of the account, for which no state is created. */
const settings = defineCollection<Note>('settings', 'account');

interface NoteInput {
  Name: string;
  Text: string;
}

/** The operations of the notes service. */
export interface NotesOperations {
  PutNote: { input: NoteInput; output: { Text: string } };
  PutBody: { input: NoteInput; output: { Id: string } };
  PutPair: { input: NoteInput; output: Record<string, never> };
  PutBodyPair: { input: NoteInput; output: Record<string, never> };
  PutSetting: { input: NoteInput; output: Record<string, never> };
  GetBody: { input: { Name: string }; output: { Text: string } };
  DeleteNote: { input: { Name: string }; output: { Deleted: boolean } };
  ListNotes: { input: Record<string, never>; output: { Notes: Record<string, string> } };
}

/** The state of a region of an account. */
export class NotesState implements Worker, WorkingState {
  readonly workers: readonly Worker[] = [this];
  readonly notes: Collection<Note>;
  readonly halves: Collection<Note>;
  readonly settings: Collection<Note>;
  closed = false;

  constructor(readonly scope: StateScope) {
    this.notes = scope.collection(notes);
    this.halves = scope.collection(halves);
    this.settings = scope.collection(settings);
  }

  close(): void {
    this.closed = true;
  }
}

const text = { type: 'string' } as const;
const operation = { http: { method: 'POST', uri: '/' }, input: { shape: 'Input' }, output: { shape: 'Output' } };
const model: ServiceModel = {
  service: 'notes',
  source: { botocore: '0', path: 'none' },
  metadata: {
    apiVersion: '2026-01-01',
    endpointPrefix: 'notes',
    signingName: 'notes',
    serviceId: 'Notes',
    protocols: ['awsJson1_0'],
    targetPrefix: 'Notes',
  },
  operations: Object.fromEntries(
    ['PutNote', 'PutBody', 'PutPair', 'PutBodyPair', 'PutSetting', 'GetBody', 'DeleteNote', 'ListNotes'].map((name) => [
      name,
      operation,
    ]),
  ),
  shapes: {
    Text: text,
    Input: { type: 'structure', members: { Name: { shape: 'Text' }, Text: { shape: 'Text' } } },
    Output: { type: 'structure', members: {} },
  },
};

/** Creates a small service of notes. @param createState replaces the creation of states */
export function notesPlugin(createState = (scope: StateScope) => new NotesState(scope)): AnyServicePlugin {
  return definePlugin<NotesOperations, NotesState>({
    name: 'notes',
    model,
    stateScope: 'region',
    collections: [notes, halves, settings],
    createState,
    operations: [
      {
        PutNote: ({ Name, Text }, { state }) => {
          state.notes.put(Name, { text: Text });
          return { Text };
        },
        PutBody: async ({ Name, Text }, { state, bodies }) => {
          const body = await bodies.write(Buffer.from(Text));
          try {
            state.notes.put(Name, { text: '', body: body.id });
          } finally {
            bodies.release(body.id);
          }
          return { Id: body.id };
        },
        PutPair: ({ Name, Text }, { state }) => {
          state.halves.put(`${Name} left`, { text: Text });
          state.halves.put(`${Name} right`, { text: Text });
          return {};
        },
        PutBodyPair: async ({ Name, Text }, { state, bodies }) => {
          const body = await bodies.write(Buffer.from(Text));
          for (const half of ['left', 'right']) state.halves.put(`${Name} ${half}`, { text: '', body: body.id });
          bodies.release(body.id);
          return {};
        },
        PutSetting: ({ Name, Text }, { state }) => {
          state.settings.put(Name, { text: Text });
          return {};
        },
        GetBody: async ({ Name }, { state, bodies }) => {
          const id = state.notes.get(Name)?.body;
          const chunks: Uint8Array[] = [];
          if (id !== undefined) for await (const chunk of bodies.read(id)) chunks.push(chunk);
          return { Text: Buffer.concat(chunks).toString() };
        },
        DeleteNote: ({ Name }, { state }) => ({ Deleted: state.notes.delete(Name) }),
        ListNotes: (_, { state }) => ({
          Notes: Object.fromEntries([...state.notes.entries()].map(([name, note]) => [name, note.text])),
        }),
      },
    ],
  });
}

/** Returns the manifest of the notes service. */
export function notesManifest(load: () => Promise<AnyServicePlugin> = async () => notesPlugin()): ServiceManifest {
  return { name: 'notes', signingNames: ['notes'], hostNames: ['notes'], load };
}
