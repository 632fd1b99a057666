import { isObject } from '@emu/wire';
import { checkRunbook } from './automation-rules.ts';
import { type Json, type JsonObject, objectsIn } from './content.ts';
import { invalidContent } from './errors.ts';

/** Required names of documents with automatic approvals. */
export const AUTO_APPROVAL = 'SSM-JustInTimeAccessAutoApprovalPolicy';
export const DENY_ACCESS = 'SSM-JustInTimeAccessDenyAccessOrgPolicy';

/** Minimum and maximum seconds of access: one hour to fourteen days. */
const MIN_DURATION = 3600;
const MAX_DURATION = 336 * 3600;
const MAX_LEVELS = 5;
const MAX_APPROVERS = 5;

/** Returns the Cedar policies of a document of type `AutoApprovalPolicy`. */
export const cedarPolicies = ({ AutoApprovalPolicyDocuments }: JsonObject): string[] =>
  objectsIn(AutoApprovalPolicyDocuments).map(({ content }) => String(content));

function checkRole({ accessTokenRole }: JsonObject): void {
  if (accessTokenRole !== undefined && (typeof accessTokenRole !== 'string' || accessTokenRole === ''))
    throw invalidContent('The accessTokenRole of an approval policy is the name of a role.');
}

/**
 * Validates a manual approval policy: its nodes and the approvers of each step.
 * @throws AwsError `InvalidDocumentContent`
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/systems-manager-just-in-time-node-access-create-manual-policies.html
 */
export function checkManualPolicy(content: JsonObject): void {
  checkRole(content);
  const { accessDuration, targets } = content;
  if (
    !Number.isInteger(accessDuration) ||
    Number(accessDuration) < MIN_DURATION ||
    Number(accessDuration) > MAX_DURATION
  )
    throw invalidContent(
      `The accessDuration of an approval policy is from ${MIN_DURATION} to ${MAX_DURATION} seconds.`,
    );
  const named = objectsIn(targets);
  if (named.length === 0) throw invalidContent('An approval policy needs at least one target.');
  for (const { Key, Values } of named) {
    const known = typeof Key === 'string' && (/^tag:.+/.test(Key) || Key === 'InstanceIds');
    if (!known || !Array.isArray(Values) || Values.length === 0)
      throw invalidContent('A target of an approval policy has the key tag:… or InstanceIds, and values.');
  }
  const steps = objectsIn(content.mainSteps);
  if (steps.length > MAX_LEVELS) throw invalidContent(`An approval policy can have at most ${MAX_LEVELS} levels.`);
  for (const { name, action, inputs } of steps) {
    if (action !== 'aws:approve') throw invalidContent('The steps of an approval policy have the action aws:approve.');
    const approvers = approversIn(inputs);
    if (approvers < 1 || approvers > MAX_APPROVERS)
      throw invalidContent(`Step "${String(name)}" needs from 1 to ${MAX_APPROVERS} approvers.`);
  }
  checkRunbook(content);
}

function approversIn(inputs: Json | undefined): number {
  if (!isObject(inputs)) return 0;
  const enhanced = isObject(inputs.EnhancedApprovals) ? objectsIn(inputs.EnhancedApprovals.Approvers).length : 0;
  return enhanced + (Array.isArray(inputs.Approvers) ? inputs.Approvers.length : 0);
}

/**
 * Validates an automatic approval or deny policy, except for its Cedar text.
 * @throws AwsError `InvalidDocumentContent`
 */
export function checkAutoPolicy(content: JsonObject): void {
  checkRole(content);
  const policies = objectsIn(content.AutoApprovalPolicyDocuments);
  if (policies.length === 0) throw invalidContent('An approval policy needs AutoApprovalPolicyDocuments.');
  for (const { type, content: text } of policies)
    if (type !== 'Cedar' || typeof text !== 'string')
      throw invalidContent('Each of the AutoApprovalPolicyDocuments has the type Cedar and a content.');
}
