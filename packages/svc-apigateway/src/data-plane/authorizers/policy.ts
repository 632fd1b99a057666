import { type ConditionContext, evaluate } from '@emu/core';
import type { Call } from '../call.ts';

/** Condition keys of a request to an API. */
export const conditionsOf = ({ request, state, definition }: Call): ConditionContext => ({
  get(key) {
    switch (key) {
      case 'aws:sourceip':
        return request.sourceIp;
      case 'aws:securetransport':
        return String(request.secure);
      case 'aws:useragent':
        return request.headers.get('user-agent');
      case 'aws:referer':
        return request.headers.get('referer');
      case 'aws:currenttime':
        return new Date(state.clock.now()).toISOString();
      case 'aws:epochtime':
        return String(Math.floor(state.clock.now() / 1000));
      case 'aws:sourcevpce':
        return definition.policy === undefined ? undefined : request.headers.get('x-amzn-vpc-endpoint-id');
      default:
        return undefined;
    }
  },
});

/** Whether a policy that an authorizer returned lets the caller call the method. */
export function policyAllows(call: Call, document: string): boolean {
  const { accountId } = call.state;
  const decision = evaluate(
    {
      principal: { type: 'user', accountId, arn: 'authorizer' },
      action: 'execute-api:Invoke',
      resource: call.methodArn,
      context: conditionsOf(call),
    },
    { identity: [{ document, id: 'authorizer' }] },
  );
  return decision.verdict === 'allowed';
}
