import {
  type AnyServicePlugin,
  type Collection,
  defineCollection,
  definePlugin,
  type OperationContext,
} from '@emu/core/service';
import { awsError, type ServiceModel } from '@emu/wire';

/** A fictitious service in several protocols: notes by name, stored per account and region. */
const model: ServiceModel = {
  service: 'notes',
  source: { botocore: '0', path: 'none' },
  metadata: {
    apiVersion: '2020-02-02',
    endpointPrefix: 'notes',
    signingName: 'notes',
    serviceId: 'Notes',
    protocols: ['awsJson1_0', 'awsQuery', 'rpcv2Cbor'],
    targetPrefix: 'Notes_20200202',
    xmlNamespace: { uri: 'http://notes.example/doc/2020-02-02/' },
  },
  operations: {
    PutNote: {
      http: { method: 'POST', uri: '/' },
      input: { shape: 'Note' },
      output: { shape: 'PutNoteResult', resultWrapper: 'PutNoteResult' },
      requestCompression: ['gzip'],
    },
    GetNote: {
      http: { method: 'POST', uri: '/' },
      input: { shape: 'GetNoteInput' },
      output: { shape: 'Note', resultWrapper: 'GetNoteResult' },
      errors: ['NoSuchNote'],
    },
    WhoAmI: { http: { method: 'POST', uri: '/' }, output: { shape: 'Caller', resultWrapper: 'WhoAmIResult' } },
    Open: {
      http: { method: 'POST', uri: '/' },
      output: { shape: 'Caller', resultWrapper: 'OpenResult' },
      auth: 'none',
    },
    Fail: { http: { method: 'POST', uri: '/' } },
    Wait: { http: { method: 'POST', uri: '/' } },
    Missing: { http: { method: 'POST', uri: '/' } },
  },
  shapes: {
    Note: {
      type: 'structure',
      members: { Name: { shape: 'NoteName' }, Text: { shape: 'Text' } },
      required: ['Name'],
    },
    PutNoteResult: { type: 'structure', members: { Size: { shape: 'Size' } } },
    GetNoteInput: { type: 'structure', members: { Name: { shape: 'NoteName' } }, required: ['Name'] },
    Caller: {
      type: 'structure',
      members: {
        Account: { shape: 'Text' },
        Arn: { shape: 'Text' },
        Region: { shape: 'Text' },
        Endpoint: { shape: 'Text' },
        Key: { shape: 'Text' },
      },
    },
    NoSuchNote: {
      type: 'structure',
      members: { message: { shape: 'Text' } },
      exception: true,
      error: { httpStatusCode: 404, senderFault: true },
    },
    NoteName: { type: 'string', min: 1, max: 20 },
    Text: { type: 'string' },
    Size: { type: 'integer' },
  },
};

interface Note {
  Name: string;
  Text?: string;
}

type Notes = Collection<Note>;

/** Inputs and outputs by operation. */
interface NotesOperations {
  PutNote: { input: Note; output: { Size: number } };
  GetNote: { input: { Name: string }; output: Readonly<Note> };
  WhoAmI: { input: object; output: Record<string, string | undefined> };
  Open: { input: object; output: Record<string, string | undefined> };
  Fail: { input: object; output: object };
  Wait: { input: object; output: object };
  Missing: { input: object; output: object };
}

const notes = defineCollection<Note>('notes', 'region');

/** Number of current waits in `Wait`, and of waits that disconnected callers have ended. */
export const waits = { running: 0, aborted: 0 };

const caller = (ctx: OperationContext<Notes>): Record<string, string | undefined> => ({
  Account: ctx.accountId,
  Arn: ctx.principal.arn,
  Region: ctx.region,
  Endpoint: ctx.endpoint,
  Key: ctx.principal.accessKeyId,
});

/** The service of the tests; `Missing` is in its model but has no handler. */
export const notesPlugin: AnyServicePlugin = definePlugin<NotesOperations, Notes>({
  name: 'notes',
  model,
  stateScope: 'region',
  collections: [notes],
  createState: (scope) => scope.collection(notes),
  operations: [
    {
      PutNote: (input, ctx) => {
        ctx.state.put(input.Name, input);
        return { Size: input.Text?.length ?? 0 };
      },
      GetNote: (input, ctx) => {
        const note = ctx.state.get(input.Name);
        if (!note) throw awsError('NoSuchNote', `There is no note ${input.Name}.`);
        return note;
      },
      WhoAmI: (_, ctx) => caller(ctx),
      Open: (_, ctx) => caller(ctx),
      Fail: () => {
        throw new Error('a defect');
      },
      Wait: (_, { signal }) =>
        new Promise<object>((_resolve, reject) => {
          waits.running++;
          signal.addEventListener('abort', () => {
            waits.running--;
            waits.aborted++;
            reject(signal.reason);
          });
        }),
    },
  ],
  control: [
    {
      method: 'GET',
      path: '/_emulator/notes/{name}/text',
      handle: ({ params, query }, service) => ({
        json: {
          name: params.name,
          text: service.state('123456789012', query.get('region') ?? 'us-east-1').get(params.name!)?.Text,
        },
      }),
    },
  ],
});
