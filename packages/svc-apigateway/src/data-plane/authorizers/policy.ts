import { type ConditionContext, type Decision, evaluate } from '@emu/core/service';
import type { Call } from '../call.ts';

/** Returns the condition keys of a request. */
export const conditionsOf = ({ request, state, privateDomain }: Call): ConditionContext => ({
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
        return request.headers.get('x-amzn-vpc-endpoint-id');
      case 'execute-api:viadomainarn':
        return privateDomain?.arn;
      default:
        return undefined;
    }
  },
});

/** Evaluates a policy returned by an authorizer for the method. */
export function verdictOf(call: Call, document: string): Decision['verdict'] {
  const { accountId } = call.state;
  return evaluate(
    {
      principal: { type: 'user', accountId, arn: 'authorizer' },
      action: 'execute-api:Invoke',
      resource: call.methodArn,
      context: conditionsOf(call),
    },
    { identity: [{ document, id: 'authorizer' }] },
  ).verdict;
}
