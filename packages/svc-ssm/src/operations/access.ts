import { formatArn, identityDirectory, ServiceRole, servicePrincipalName } from '@emu/core/service';
import type { Credentials, InputOf, OutputOf, StartAccessRequestRequest } from '@emu/service-types/ssm';
import { approversOfPolicy, type Decision, decide, durationOf, tokenRoleOf } from '../access/policies.ts';
import type { AccessRequestRecord } from '../access/records.ts';
import type { AccessRequest } from '../access/requests.ts';
import { makeAutomation } from '../automation/starting.ts';
import type { SsmContext } from '../context.ts';
import type { ResolvedDocument } from '../documents/resolve.ts';
import { invalid, ssmError } from '../errors.ts';
import type { Node } from '../nodes/nodes.ts';
import { targetTest } from '../nodes/targets.ts';
import { ACCESS_REQUEST } from '../ops/announcements.ts';
import { addOpsItem } from '../ops/items.ts';
import { tagging } from '../tags.ts';

/** Minimum seconds of a role session; also the maximum if the access is longer. */
const MIN_TOKEN_DURATION = 900;
const MAX_TOKEN_DURATION = 3600;
const SERVICE = 'justintimeaccess.ssm';

/** Roles with which nodes are accessed. */
const accessRole = new ServiceRole({
  service: SERVICE,
  session: 'justintimeaccess',
  refuse: (roleArn, { code }) =>
    code === 'AccessDenied'
      ? ssmError('AccessDeniedException', `The role ${roleArn} cannot be assumed by ${servicePrincipalName(SERVICE)}.`)
      : undefined,
});

/**
 * Returns the nodes of an access request.
 * @throws AwsError `ValidationException`, `ResourceNotFoundException`
 */
async function nodesOf({ Targets }: StartAccessRequestRequest, ctx: SsmContext): Promise<Node[]> {
  if (Targets.length === 0) throw invalid('An access request needs at least one target.');
  const tests = await Promise.all(Targets.map((target) => targetTest(target, ctx)));
  const nodes = (await ctx.state.nodes.list()).filter((node) => tests.every((test) => test(node)));
  if (nodes.length === 0) throw ssmError('ResourceNotFoundException', 'No managed node matches the targets.');
  return nodes;
}

/**
 * Combines the decisions for several nodes into one.
 * @throws AwsError `ValidationException` if they differ
 */
function combined(decisions: readonly Decision[]): Exclude<Decision, { kind: 'none' }> {
  const conflict = decisions.find(({ kind }) => kind === 'conflict');
  if (conflict?.kind === 'conflict') return conflict;
  const policies = new Map<string, Extract<Decision, { policy: ResolvedDocument }>>();
  for (const decision of decisions) {
    if (!('policy' in decision)) throw invalid('No approval policy applies to the node.');
    policies.set(decision.policy.name, decision);
  }
  const [first, ...others] = policies.values();
  if (others.length > 0) throw invalid('Different approval policies apply to the nodes.');
  return first!;
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_StartAccessRequest.html */
export async function StartAccessRequest(
  input: InputOf<'StartAccessRequest'>,
  ctx: SsmContext,
): Promise<OutputOf<'StartAccessRequest'>> {
  const { state, principal, ids, clock } = ctx;
  const tags = tagging.merge(undefined, input.Tags);
  const nodes = await nodesOf(input, ctx);
  const identity = await (await ctx.capability(identityDirectory))?.identity(principal.arn);
  const who = { id: principal.userId, tags: identity?.tags ?? {} };
  const decision = combined(await Promise.all(nodes.map((node) => decide(state, node, who))));
  const id = `oi-${ids.hex(12)}`;
  const now = Math.floor(clock.now());
  const policy = 'policy' in decision ? decision.policy : undefined;
  const automationId = decision.kind === 'manual' ? approval(decision.policy, nodes, ctx) : undefined;
  const record: AccessRequestRecord = {
    id,
    requester: principal.arn,
    requesterId: principal.userId,
    nodes: nodes.map((node) => node.id),
    status: decision.kind === 'manual' ? 'Pending' : decision.kind === 'automatic' ? 'Approved' : 'Rejected',
    ...(policy && { policy: policy.name }),
    ...(automationId !== undefined && { automationId }),
    approvers: policy ? approversOfPolicy(policy) : [],
    accessDuration: policy ? durationOf(policy) : 0,
    tokenRole: policy ? tokenRoleOf(policy) : '',
    createdAt: now,
    ...(decision.kind === 'automatic' && { endsAt: now + durationOf(decision.policy) * 1000 }),
  };
  const details = {
    ...(automationId !== undefined && { automationExecutionId: automationId }),
    requesterArn: record.requester,
    requesterId: record.requesterId,
    approverArns: record.approvers,
    targets: record.nodes,
    ...(policy && { policyName: policy.name }),
  };
  addOpsItem(
    {
      id,
      type: ACCESS_REQUEST,
      title: `Access request for ${record.nodes.join(', ')}`.slice(0, 1024),
      description: input.Reason,
      source: 'ssm',
      status: decision.kind === 'manual' ? 'PendingApproval' : decision.kind === 'automatic' ? 'Approved' : 'Failed',
      operationalData: { [ACCESS_REQUEST]: { Type: 'String', Value: JSON.stringify(details) } },
      notifications: [],
      relatedItems: [],
      times: {},
      tags,
    },
    now,
    ctx,
  );
  state.access.put(record);
  if (decision.kind === 'conflict') state.access.announceConflict(record, decision.policies);
  return { AccessRequestId: id };
}

/**
 * Starts the execution of a policy's steps, which wait for approvals.
 * @returns id of the execution
 */
function approval(policy: ResolvedDocument, nodes: readonly Node[], ctx: SsmContext): string {
  const { automations } = ctx.state;
  const target = nodes.map(({ id }) => id).join(',');
  const starter = { principal: ctx.principal, cause: ctx.requestId, target };
  const record = makeAutomation(automations, { DocumentName: policy.name }, starter, undefined, policy);
  return automations.start(record).id;
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetAccessToken.html */
export async function GetAccessToken(
  input: InputOf<'GetAccessToken'>,
  ctx: SsmContext,
): Promise<OutputOf<'GetAccessToken'>> {
  const request = ctx.state.access.get(input.AccessRequestId);
  if (!request) throw ssmError('ResourceNotFoundException', `Access request ${input.AccessRequestId} does not exist.`);
  if (request.requester !== ctx.principal.arn)
    throw ssmError('AccessDeniedException', 'Only the requester can get the access token of an access request.');
  const AccessRequestStatus = ctx.state.access.statusOf(request);
  if (AccessRequestStatus !== 'Approved') return { AccessRequestStatus };
  return { AccessRequestStatus, Credentials: await credentialsOf(request, ctx) };
}

/**
 * Returns credentials that can only start and end sessions on the nodes of a request.
 * @throws AwsError `AccessDeniedException`
 */
async function credentialsOf({ id, nodes, tokenRole, endsAt }: AccessRequest, ctx: SsmContext): Promise<Credentials> {
  const { accountId, region, clock, requestId } = ctx;
  const arn = (service: string, resource: string) => formatArn({ service, region, accountId, resource }, region);
  const RoleArn = tokenRole.startsWith('arn:')
    ? tokenRole
    : formatArn({ service: 'iam', region: '', accountId, resource: `role/${tokenRole}` }, region);
  const Resource = nodes.map((node) =>
    node.startsWith('mi-') ? arn('ssm', `managed-instance/${node}`) : arn('ec2', `instance/${node}`),
  );
  const Policy = JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: 'ssm:StartSession', Resource: [...Resource, arn('ssm', 'document/*')] },
      { Effect: 'Allow', Action: ['ssm:ResumeSession', 'ssm:TerminateSession'], Resource: arn('ssm', 'session/*') },
    ],
  });
  const left = Math.floor((endsAt! - clock.now()) / 1000);
  const { Credentials: made } = await accessRole.assume(RoleArn, ctx, {
    RoleSessionName: id,
    DurationSeconds: Math.min(MAX_TOKEN_DURATION, Math.max(MIN_TOKEN_DURATION, left)),
    Policy,
    cause: requestId,
  });
  const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = made!;
  return { AccessKeyId, SecretAccessKey, SessionToken, ExpirationTime: Expiration };
}
