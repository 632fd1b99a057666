import {
  actionsOf,
  type PolicyRules,
  PRINCIPALS,
  type ProblemSentences,
  parsePolicy,
  sentenceFor,
} from '@emu/core/service';
import type { AwsError } from '@emu/wire';
import { ssmError } from '../errors.ts';

const rulesFor = (arn: string): PolicyRules => ({
  principal: 'required',
  principals: PRINCIPALS,
  action: 'required',
  actions: actionsOf('ssm'),
  resource: 'required',
  resources: (values) => {
    // The OpsItem group includes all of its OpsItems.
    const value = values.find((one) => one !== arn && !/:opsitem\/\*$/.test(one));
    return value === undefined ? undefined : { value };
  },
  uniqueSids: 'given',
});

/** emu's own messages for invalid policies. */
const SENTENCES: ProblemSentences = {
  'not-json': 'The policy is not valid JSON.',
  'missing-statement': 'The policy has no statement.',
  'empty-statement': 'The policy has no statement.',
  'invalid-principal': ({ value }) => `The policy has the invalid principal ${value}.`,
  'invalid-action': ({ value }) => `The policy has the invalid action ${value}.`,
  'invalid-resource': ({ value }) => `The policy is for a different resource: ${value}.`,
  'duplicate-sid': ({ value }) => `The policy has more than one statement with the id ${value}.`,
  otherwise: 'The policy is not valid.',
};

/**
 * Returns the error of an invalid policy; undefined for a valid one.
 * @param arn of the policy's resource
 */
export function policyProblem(text: string, arn: string): AwsError | undefined {
  const { problem } = parsePolicy(text, rulesFor(arn));
  return problem && ssmError('MalformedResourcePolicyDocumentException', sentenceFor(problem, SENTENCES));
}
