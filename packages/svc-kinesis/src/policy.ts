import {
  actionsOf,
  identityDirectory,
  type PolicyProblem,
  type PolicyRules,
  PRINCIPALS,
  type ProblemSentences,
  parseArn,
  parsePolicy,
  sentenceFor,
  unknownPrincipal,
} from '@emu/core/service';
import type { AwsError } from '@emu/wire';
import type { KinesisContext } from './context.ts';
import { invalidArgument } from './errors.ts';
import { consumerType } from './resources.ts';

/** Actions allowed in resource policies: "Sharing your data stream with another account" of the developer guide. */
const STREAM_ACTIONS = [
  'DescribeStreamSummary',
  'DescribeStream',
  'GetRecords',
  'GetShardIterator',
  'ListShards',
  'ListTagsForResource',
  'PutRecord',
  'PutRecords',
];
const CONSUMER_ACTIONS = ['DescribeStreamConsumer', 'ListTagsForResource', 'SubscribeToShard'];

const MAX_BYTES = 20 * 1024;

const rulesFor = (arn: string): PolicyRules => ({
  size: { most: MAX_BYTES, of: 'bytes' },
  principal: 'required',
  principals: PRINCIPALS,
  action: 'required',
  actions: actionsOf('kinesis', consumerType.parse(arn) ? CONSUMER_ACTIONS : STREAM_ACTIONS),
  resource: 'required',
  resources: (values) => {
    const value = values.find((one) => one !== arn);
    return value === undefined ? undefined : { value };
  },
  uniqueSids: 'given',
});

/** Policy error messages; AWS's own are unknown. */
const SENTENCES: ProblemSentences = {
  'not-json': 'The policy is not valid JSON.',
  'too-large': 'The policy is larger than 20 KB.',
  'missing-statement': 'The policy has no statement.',
  'empty-statement': 'The policy has no statement.',
  'invalid-principal': ({ value }) => `The policy has the invalid principal ${value}.`,
  'invalid-action': ({ value }) => `The policy has the invalid action ${value}.`,
  'invalid-resource': ({ value }) => `The policy has the resource ${value}, which is not the one it belongs to.`,
  'duplicate-sid': ({ value }) => `The policy has more than one statement with the id ${value}.`,
  otherwise: 'The policy is not valid.',
};

const refusal = (problem: PolicyProblem): AwsError => invalidArgument(sentenceFor(problem, SENTENCES));

/**
 * Validates the policy of a stream or consumer.
 * @param arn of the stream or consumer
 * @throws AwsError `InvalidArgumentException`; with policies enforced also for missing principals
 */
export async function checkPolicy(text: string, arn: string, ctx: KinesisContext): Promise<void> {
  const { policy, problem } = parsePolicy(text, rulesFor(arn));
  if (problem) throw refusal(problem);
  const directory = await ctx.capability(identityDirectory);
  const value = await unknownPrincipal(policy, parseArn(arn)!.accountId, directory);
  if (value !== undefined) ctx.wouldRefuse(refusal({ code: 'invalid-principal', value } as PolicyProblem));
}
