import { loadOptional } from '@emu/core/service';
import { invalidContent } from './errors.ts';

/** The only action in policies for node access. */
const ACTION = { type: 'AWS::SSM::Action', id: 'getTokenForInstanceAccess' };
const PRINCIPAL = 'AWS::IdentityStore::User';
const TAGS = { type: 'AWS::IAM::PrincipalTags', id: 'principal' };

type Tags = Readonly<Record<string, string>>;

/** A request of a principal for access to a node. */
export interface CedarQuestion {
  /** Unique id of the principal, and the tags of the user or role. */
  readonly principal: { readonly id: string; readonly tags: Tags };
  readonly node: { readonly id: string; readonly kind: 'EC2Instance' | 'ManagedInstance'; readonly tags: Tags };
}

/**
 * Loads the Cedar engine, an optional dependency with about 13 MB of WebAssembly.
 * @throws AwsError `NotImplemented` if it is not installed
 */
const loadCedar = (): Promise<typeof import('@cedar-policy/cedar-wasm/nodejs')> =>
  loadOptional('@cedar-policy/cedar-wasm', () => import('@cedar-policy/cedar-wasm/nodejs'));

/**
 * Checks the syntax of policies.
 * @throws AwsError `InvalidDocumentContent` for text that is not a valid Cedar policy
 */
export async function checkCedar(policies: string): Promise<void> {
  const { checkParsePolicySet } = await loadCedar();
  const answer = checkParsePolicySet({ staticPolicies: policies });
  if (answer.type === 'failure')
    throw invalidContent(`The Cedar policy is not valid: ${answer.errors.map(({ message }) => message).join('; ')}.`);
}

/**
 * Whether Cedar policies allow access to a node without an approval.
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
