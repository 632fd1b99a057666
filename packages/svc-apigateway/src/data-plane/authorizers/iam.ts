import { type Decision, denialMessage, evaluate, type Principal, rootOf } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { withWholeArns } from '../../apis/policy.ts';
import type { Call, PrivateDomain } from '../call.ts';
import { accessDenied, type GatewayFault, invalidSignature, missingToken } from '../fault.ts';
import { conditionsOf } from './policy.ts';

/**
 * Verifies the signature of a request, if emu verifies signatures.
 * @throws GatewayFault `INVALID_SIGNATURE`, `EXPIRED_TOKEN`
 */
export async function verifySigner(call: Call): Promise<void> {
  try {
    call.verified = await call.request.verifySignature?.({ services: ['execute-api'], region: call.state.region });
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    Object.assign(call.notes.authenticate, { status: 403, error: error.message });
    throw invalidSignature(error);
  }
}

/**
 * Returns the signer of a request; undefined if it is unsigned. If emu verifies signatures, only methods that require
 * one have signers.
 */
function signerOf({ request, state, verified }: Call): Principal | undefined {
  if (request.verifySignature) return verified;
  const authorization = request.headers.get('authorization');
  const scope =
    /^AWS4-HMAC-SHA256 .*Credential=([^/,\s]+)\//.exec(authorization ?? '')?.[1] ??
    request.query.get('X-Amz-Credential')?.split('/')[0];
  if (!scope) return undefined;
  const { credentials, settings } = state.scope.service;
  const credential = credentials.get(scope);
  if (credential) return { ...credential.principal, accessKeyId: scope };
  const accountId = /^\d{12}$/.test(scope) ? scope : settings.accountId;
  return { ...rootOf(accountId, state.region), accessKeyId: scope };
}

/** Records the signer of a request. */
function note(call: Call, caller: Principal): void {
  call.caller = caller;
  Object.assign(call.context.identity, {
    accessKey: caller.accessKeyId ?? null,
    accountId: caller.accountId,
    caller: caller.userId,
    user: caller.userId,
    userArn: caller.arn,
  });
}

/**
 * Accepts signed requests only, and where policies are enforced only those that the signer's policies allow.
 * @throws GatewayFault `MISSING_AUTHENTICATION_TOKEN`, `ACCESS_DENIED`
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/permissions.html
 */
export async function authorizeByIam(call: Call): Promise<void> {
  const caller = signerOf(call);
  const { authenticate, authorize } = call.notes;
  if (!caller) {
    Object.assign(authenticate, { status: 403, error: 'Missing Authentication Token' });
    throw missingToken();
  }
  note(call, caller);
  const { state, methodArn, definition } = call;
  Object.assign(authenticate, { status: 200, latency: 0 });
  const started = state.clock.now();
  try {
    await state.scope.call(
      'apigateway',
      'InvokeMethod',
      { arn: methodArn, policy: definition.policy },
      { accountId: state.accountId, principal: caller, authorize: { dryRun: true } },
    );
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    Object.assign(authorize, { status: 403, error: error.message });
    throw accessDenied(error.message);
  } finally {
    authorize.status ??= 200;
    authorize.latency = state.clock.now() - started;
  }
}

/** Returns the caller in the form of resource policies. */
const principalOf = (call: Call): Principal =>
  signerOf(call) ?? { type: 'anonymous', accountId: '', arn: 'anonymous', userId: 'anonymous' };

const ACTION = 'execute-api:Invoke';

/**
 * Evaluates the resource policy of an API for a request that is unsigned or authorized by an authorizer.
 * @throws GatewayFault `ACCESS_DENIED`
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-resource-policies.html
 */
export function checkResourcePolicy(call: Call, policy: string): void {
  const decision = decide(call, policy, call.methodArn, call.apiId);
  const explicit = decision.verdict === 'explicitDeny';
  if (decision.verdict === 'allowed' || (!explicit && call.method?.authorizationType === 'AWS_IAM')) return;
  throw denied(call, call.methodArn, decision);
}

/**
 * Evaluates the policy of the private custom domain name of a request, independent of the caller and the method's
 * authorization. Without a policy, access is denied.
 * @throws GatewayFault `ACCESS_DENIED`
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-private-custom-domains-tutorial.html
 */
export function checkDomainPolicy(call: Call, { arn, policy }: PrivateDomain): void {
  const decision = decide(call, policy ?? '{"Version":"2012-10-17","Statement":[]}', arn, arn);
  if (decision.verdict !== 'allowed') throw denied(call, arn, decision);
}

function decide(call: Call, policy: string, resource: string, id: string): Decision {
  const context = conditionsOf(call);
  return evaluate(
    { principal: principalOf(call), action: ACTION, resource, resourceAccountId: call.state.accountId, context },
    { identity: [], resource: { document: withWholeArns(policy, resource), id } },
  );
}

const denied = (call: Call, resource: string, decision: Decision): GatewayFault =>
  accessDenied(denialMessage({ principal: principalOf(call), action: ACTION, resource }, decision));
