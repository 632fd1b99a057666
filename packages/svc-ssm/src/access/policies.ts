import type { Target } from '@emu/service-types/ssm';
import { isObject } from '@emu/wire';
import { AUTO_APPROVAL, cedarPolicies, DENY_ACCESS } from '../documents/approval-policies.ts';
import { type CedarQuestion, permits } from '../documents/cedar.ts';
import { type Json, objectsIn } from '../documents/content.ts';
import { type ResolvedDocument, resolveDocument } from '../documents/resolve.ts';
import type { Node } from '../nodes/nodes.ts';
import type { SsmState } from '../state.ts';

/** Seconds of access for an automatic approval. */
const AUTO_DURATION = 3600;
/** Name of the role that Quick Setup creates for just-in-time node access. */
const TOKEN_ROLE = 'SSM-JustInTimeAccessTokenRole';

/** Decision about the access to a node. */
export type Decision =
  | { readonly kind: 'automatic'; readonly policy: ResolvedDocument }
  | { readonly kind: 'manual'; readonly policy: ResolvedDocument }
  /** Several policies match the node and exclude each other. */
  | { readonly kind: 'conflict'; readonly policies: readonly string[] }
  | { readonly kind: 'none' };

/** Returns a document by name in its default version; undefined if no document of the type has the name. */
function policyNamed(state: SsmState, name: string, type: ResolvedDocument['type']): ResolvedDocument | undefined {
  if (!state.documents.get(name)) return undefined;
  const document = resolveDocument(state, name);
  return document.type === type ? document : undefined;
}

const targetsOf = ({ content }: ResolvedDocument): Target[] => {
  const { targets } = content;
  return objectsIn(targets) as Target[];
};

const hasTag = ({ tags }: Node, { Key = '', Values = [] }: Target): boolean => {
  const tag = Key.slice('tag:'.length);
  return Key.startsWith('tag:') && Object.hasOwn(tags, tag) && Values.includes(tags[tag]!);
};

const namesAll = ({ Key, Values = [] }: Target): boolean => Key === 'InstanceIds' && Values.includes('*');

/** Returns the manual approval policies of an account and region. */
const manualPolicies = (state: SsmState): ResolvedDocument[] =>
  [...state.documents.all()]
    .filter(({ type }) => type === 'ManualApprovalPolicy')
    .map(({ name }) => resolveDocument(state, name));

/**
 * Decides about the access to a node. Policies are evaluated in this order: policies that deny automatic approval,
 * automatic approval policies, manual policies for the node's tags, manual policies for all nodes.
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/systems-manager-just-in-time-node-access-approval-policies.html
 */
export async function decide(state: SsmState, node: Node, principal: CedarQuestion['principal']): Promise<Decision> {
  const automatic = policyNamed(state, AUTO_APPROVAL, 'AutoApprovalPolicy');
  if (automatic) {
    const denying = policyNamed(state, DENY_ACCESS, 'AutoApprovalPolicy');
    const policies = [automatic, denying].flatMap((policy) => (policy ? cedarPolicies(policy.content) : []));
    if (await permits(policies, { principal, node })) return { kind: 'automatic', policy: automatic };
  }
  const manual = manualPolicies(state);
  const specific = manual.filter((policy) =>
    targetsOf(policy).some(
      (target) => hasTag(node, target) || (target.Key === 'InstanceIds' && target.Values?.includes(node.id)),
    ),
  );
  const found = specific.length > 0 ? specific : manual.filter((policy) => targetsOf(policy).some(namesAll));
  const [policy] = found;
  if (!policy) return { kind: 'none' };
  return found.length === 1
    ? { kind: 'manual', policy }
    : { kind: 'conflict', policies: found.map(({ name }) => name) };
}

/** Returns the seconds of access that a policy grants. */
export const durationOf = ({ content, type }: ResolvedDocument): number =>
  type === 'AutoApprovalPolicy' ? AUTO_DURATION : Number(content.accessDuration);

/** Returns the role with which a policy grants access. */
export const tokenRoleOf = ({ content }: ResolvedDocument): string =>
  typeof content.accessTokenRole === 'string' ? content.accessTokenRole : TOKEN_ROLE;

/** Returns the approvers of all levels of a policy. */
export const approversOfPolicy = ({ content }: ResolvedDocument): string[] => {
  const steps: Json = content.mainSteps ?? [];
  const names = (Array.isArray(steps) ? steps : []).flatMap((step) => {
    const inputs = isObject(step) && isObject(step.inputs) ? step.inputs : {};
    const enhanced = isObject(inputs.EnhancedApprovals) ? inputs.EnhancedApprovals.Approvers : [];
    const plain = Array.isArray(inputs.Approvers) ? inputs.Approvers : [];
    const named = objectsIn(enhanced).map(({ approver = '' }) => approver);
    return [...plain, ...named].map(String);
  });
  return [...new Set(names)];
};
