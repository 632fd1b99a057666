import type { Target } from '@emu/service-types/ssm';
import { isObject } from '@emu/wire';
import { AUTO_APPROVAL, cedarPolicies, DENY_ACCESS } from '../documents/approval-policies.ts';
import { type Json, objectsIn } from '../documents/content.ts';
import { type ResolvedDocument, resolveDocument } from '../documents/resolve.ts';
import type { Node } from '../nodes/nodes.ts';
import type { SsmState } from '../state.ts';
import { type CedarQuestion, permits } from './cedar.ts';

/** Seconds of access that nobody had to approve. */
const AUTO_DURATION = 3600;
/** The role that Quick Setup makes for just-in-time node access. */
const TOKEN_ROLE = 'SSM-JustInTimeAccessTokenRole';

/** How access to a node is decided. */
export type Decision =
  | { readonly kind: 'automatic'; readonly policy: ResolvedDocument }
  | { readonly kind: 'manual'; readonly policy: ResolvedDocument }
  /** Several policies for one node exclude each other. */
  | { readonly kind: 'conflict'; readonly policies: readonly string[] }
  | { readonly kind: 'none' };

/** The document of a name and its default version; undefined where there is none of the type. */
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

/** The policies of manual approvals of an account and region. */
const manualPolicies = (state: SsmState): ResolvedDocument[] =>
  [...state.documents.all()]
    .filter(({ type }) => type === 'ManualApprovalPolicy')
    .map(({ name }) => resolveDocument(state, name));

/**
 * How access to a node is decided: what refuses automatic approval comes first, automatic approval next, and then the
 * manual policy, of which one for the node's tags is before one for all nodes.
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

/** Seconds of the access that a policy gives. */
export const durationOf = ({ content, type }: ResolvedDocument): number =>
  type === 'AutoApprovalPolicy' ? AUTO_DURATION : Number(content.accessDuration);

/** The role by which a policy gives access. */
export const tokenRoleOf = ({ content }: ResolvedDocument): string =>
  typeof content.accessTokenRole === 'string' ? content.accessTokenRole : TOKEN_ROLE;

/** Who may approve, by every level of a policy. */
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
