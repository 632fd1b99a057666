import { type Benchmark, withServers } from './compare.ts';
import { type Figure, median } from './measure.ts';
import { type LoadRequest, type Server, startEmu } from './processes.ts';

const RESOURCES = 100;
/** Limits in milliseconds of a stack's creation and of an update without changes. */
const CREATION_LIMIT = 2000;
const UPDATE_LIMIT = 100;
/** Poll interval in milliseconds. */
const INTERVAL = 10;

const request = (fields: Record<string, string>): LoadRequest => ({
  headers: {
    'content-type': 'application/x-www-form-urlencoded',
    'x-amz-date': '20250101T000000Z',
    authorization: `AWS4-HMAC-SHA256 Credential=test/20250101/us-east-1/cloudformation/aws4_request, SignedHeaders=host;x-amz-date, Signature=${'0'.repeat(64)}`,
  },
  body: new URLSearchParams({ ...fields, Version: '2010-05-15' }).toString(),
});

/** Returns a template of queues, parameters, topics and log groups, each of which refers to the previous one. */
function template(): string {
  const kinds = [
    { Type: 'AWS::SQS::Queue', Properties: {} },
    { Type: 'AWS::SNS::Topic', Properties: {} },
    { Type: 'AWS::Logs::LogGroup', Properties: {} },
  ];
  const Resources: Record<string, object> = {};
  for (let index = 0; index < RESOURCES; index++)
    Resources[`R${index}`] =
      index % 4 === 3
        ? { Type: 'AWS::SSM::Parameter', Properties: { Type: 'String', Value: { Ref: `R${index - 1}` } } }
        : kinds[index % 4]!;
  return JSON.stringify({ Resources });
}

async function send(server: Server, fields: Record<string, string>): Promise<{ status: number; text: string }> {
  const { headers, body } = request(fields);
  const response = await fetch(server.url, { method: 'POST', headers, body });
  return { status: response.status, text: await response.text() };
}

/** Waits for the creation of a stack. @throws Error if it fails */
async function made(server: Server, StackName: string): Promise<void> {
  for (;;) {
    const { text } = await send(server, { Action: 'DescribeStacks', StackName });
    const status = /<StackStatus>(\w+)</.exec(text)?.[1];
    if (status === 'CREATE_COMPLETE') return;
    if (status !== 'CREATE_IN_PROGRESS') throw new Error(`the stack ended as ${status}: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, INTERVAL));
  }
}

const beside = (name: string, times: readonly number[], reference: number): Figure => {
  const value = median(times);
  return {
    name,
    value,
    reference,
    unit: 'ms',
    ratio: value / reference,
    target: { atMost: 1 },
    rounds: times.length,
  };
};

/** Time to create a stack of a hundred resources, and of an update without changes, each with its limit. */
const stacks: Benchmark = ({ rounds }) =>
  withServers([startEmu()], async (emu) => {
    const TemplateBody = template();
    const [creations, updates]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      const StackName = `bench-${round}`;
      const begun = performance.now();
      const { status, text } = await send(emu!, { Action: 'CreateStack', StackName, TemplateBody });
      if (status !== 200) throw new Error(`the stack was refused: ${text}`);
      await made(emu!, StackName);
      creations.push(performance.now() - begun);
      const again = performance.now();
      const update = await send(emu!, { Action: 'UpdateStack', StackName, TemplateBody });
      updates.push(performance.now() - again);
      if (!update.text.includes('No updates are to be performed'))
        throw new Error(`the update changed: ${update.text}`);
    }
    return [
      beside(`CloudFormation: a stack of ${RESOURCES} resources, beside the limit`, creations, CREATION_LIMIT),
      beside('CloudFormation: an update without a change, beside the limit', updates, UPDATE_LIMIT),
    ];
  });

/** Benchmarks of CloudFormation. */
export const cloudformationBenchmarks: Readonly<Record<string, Benchmark>> = { stacks };
