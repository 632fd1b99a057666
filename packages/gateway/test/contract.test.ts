import { describeServiceContract, manifestOf, type TestClientConfig } from '../src/testing/index.ts';
import { notesPlugin } from './notes.ts';
import { call } from './requests.ts';

/** Calls the notes service as an SDK client of the configuration would. */
async function send(config: TestClientConfig, operation: string, input: unknown): Promise<unknown> {
  const { response } = await config.requestHandler.handle({
    method: 'POST',
    protocol: 'http:',
    hostname: 'localhost',
    port: 4566,
    path: '/',
    headers: call(operation, config.credentials.accessKeyId, config.region),
    body: JSON.stringify(input),
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

describeServiceContract({
  manifest: manifestOf(notesPlugin),
  scope: 'region',
  act: async (config) => {
    await send(config, 'PutNote', { Name: 'kept', Text: 'still here' });
    return 'kept';
  },
  observe: (config, name) => send(config, 'GetNote', { Name: name }),
});
