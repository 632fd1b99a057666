import { loadOptional } from '@emu/core';
import { invalidContent } from '../documents/errors.ts';

/** The one action that policies of node access are about. */
const ACTION = { type: 'AWS::SSM::Action', id: 'getTokenForInstanceAccess' };
const PRINCIPAL = 'AWS::IdentityStore::User';
const TAGS = { type: 'AWS::IAM::PrincipalTags', id: 'principal' };

type Tags = Readonly<Record<string, string>>;

/** Who asks for access to which node. */
export interface CedarQuestion {
  /** Unique id of who asks, and the tags of the user or role. */
  readonly principal: { readonly id: string; readonly tags: Tags };
  readonly node: { readonly id: string; readonly kind: 'EC2Instance' | 'ManagedInstance'; readonly tags: Tags };
}

/**
 * Loads the Cedar engine, some 13 MB of WebAssembly that are installed by who wants them.
 * @throws AwsError `NotImplemented` where it is not installed
 */
const loadCedar = (): Promise<typeof import('@cedar-policy/cedar-wasm/nodejs')> =>
  loadOptional('@cedar-policy/cedar-wasm', () => import('@cedar-policy/cedar-wasm/nodejs'));

/** @throws AwsError `InvalidDocumentContent` for a text that is no policy in Cedar */
export async function checkCedar(policies: string): Promise<void> {
  const { checkParsePolicySet } = await loadCedar();
  const answer = checkParsePolicySet({ staticPolicies: policies });
  if (answer.type === 'failure')
    throw invalidContent(`The Cedar policy is not valid: ${answer.errors.map(({ message }) => message).join('; ')}.`);
}

/**
 * Whether policies in Cedar let a node be accessed without anybody's approval.
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/auto-approval-deny-access-policy-statement-structure.html
 */
export async function permits(policies: readonly string[], { principal, node }: CedarQuestion): Promise<boolean> {
  const { isAuthorized } = await loadCedar();
  const user = { type: PRINCIPAL, id: principal.id };
  const resource = {
    type: node.kind === 'EC2Instance' ? 'AWS::EC2::Instance' : 'AWS::SSM::ManagedInstance',
    id: node.id,
  };
  const answer = isAuthorized({
    principal: user,
    action: ACTION,
    resource,
    context: { iam: { principalTags: { __entity: TAGS } } },
    policies: { staticPolicies: policies.join('\n') },
    entities: [
      { uid: user, attrs: {}, parents: [] },
      { uid: TAGS, attrs: {}, parents: [], tags: { ...principal.tags } },
      { uid: resource, attrs: {}, parents: [], tags: { ...node.tags } },
    ],
  });
  return answer.type === 'success' && answer.response.decision === 'allow';
}
