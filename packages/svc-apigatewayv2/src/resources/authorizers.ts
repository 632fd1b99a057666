import { lowerId } from '@emu/core/descriptors';
import { descriptor } from '../descriptor.ts';
import { conflict, notFound } from '../errors.ts';
import type { AuthorizerRecord } from '../records.ts';
import { checkAuthorizer } from '../validation/authorizer.ts';
import { apis } from './apis.ts';

/** Authorizers. @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-authorizers-authorizerid.html */
export const authorizers = descriptor({
  name: 'Authorizer',
  records: 'authorizers',
  owner: apis,
  key: 'AuthorizerId',
  id: lowerId(6),
  missing: () => notFound('Invalid Authorizer identifier specified'),
  emptiable: [
    'AuthorizerCredentialsArn',
    'AuthorizerPayloadFormatVersion',
    'AuthorizerUri',
    'IdentityValidationExpression',
    'JwtConfiguration',
  ],
  rules: [
    (authorizer, { owner }) => checkAuthorizer(owner.ProtocolType, authorizer as AuthorizerRecord),
    {
      unique: ['Name'],
      error: ({ Name }) => conflict(`Authorizer with name ${Name} already exists for this API`),
    },
  ],
  changed: (_authorizer, { at, ctx }) => ctx.state.changed(at.ApiId),
});
